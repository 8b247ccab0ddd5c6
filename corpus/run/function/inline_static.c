/* Inline functions, static inline, register, const, volatile and restrict qualifiers. */
#include <stdio.h>

static inline int clamp(int x, int lo, int hi) { return x < lo ? lo : x > hi ? hi : x; }
static __inline__ __attribute__((always_inline)) int sq(const int x) { return x * x; }
extern inline __attribute__((gnu_inline)) int ext(int x) { return x + 1; }
int ext(int x) { return x + 1; }
inline static void copy(int *restrict d, const int *__restrict s, int n) { while (n--) *d++ = *s++; }
static volatile int vol = 3;
static const volatile int cv = 9;
__attribute__((noinline)) static int spin(volatile int *p) { int s = 0; while (*p > 0) { s += *p; *p -= 1; } return s; }
static _Noreturn void never(void) { for (;;) ; }

int main(void)
{
    register int i;
    int a[5] = { 1, 2, 3, 4, 5 }, b[5];
    const int *const p = a + 1;
    int *const q = b;
    const struct { int k; } cs = { 4 };
    for (i = -2; i < 3; i++) printf("%d ", clamp(i * 3, -4, 4));
    printf("%d %d\n", sq(12), ext(4));
    copy(b, a, 5);
    *q = 10; q[1] = p[1];
    printf("%d %d %d %d\n", b[0], b[1], b[4], cs.k);
    vol++; vol += cv;
    printf("%d %d\n", vol, cv);
    printf("%d ", spin(&vol)); printf("%d\n", vol);
    if (vol) never();
    return clamp(500, 0, 99);
}
