/* Qualifiers: const data in tables, volatile accesses, pointers to const, casts adding qualifiers, restrict. */
#include <stdio.h>

static const int primes[] = { 2, 3, 5, 7, 11 };
static const struct { const char *k; const int v; } map[] = { { "one", 1 }, { "two", 2 } };
static volatile unsigned ticks;
static unsigned tick(void) { return ticks++; }
static int sum(const int *p, const int *const e) { int s = 0; while (p != e) s += *p++; return s; }
static void axpy(int n, int k, const int *restrict x, int *restrict y) { while (n--) *y++ += k * *x++; }
typedef const char *cstr;
typedef char *const cp;

int main(void)
{
    volatile int v = 5, *pv = &v;
    int y[5] = { 1, 1, 1, 1, 1 }, i, n = 3;
    const int *pc = &n; int *const kp = &n; const volatile int cv = 8;
    char buf[] = "const"; cp q = buf; cstr s = "swap";
    printf("%d %s %d\n", sum(primes, primes + 5), map[1].k, map[0].v);
    axpy(5, 2, primes, y);
    for (i = 0; i < 5; i++) printf("%d ", y[i]);
    *pv += v; v = v + v; printf("%d\n", v);
    while (tick() < 4) ;
    printf("%u\n", ticks);
    n = 7; printf("%d ", *pc); *kp = 9; printf("%d %d\n", *pc, cv);
    q[0] = 'C'; s = q; puts(s);
    pc = primes + 2; pc++; printf("%d\n", *pc);
    return *(const int *)kp;
}
