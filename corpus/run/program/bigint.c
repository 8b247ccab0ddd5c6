/* Big integers as digit arrays: addition, multiplication, factorial, Fibonacci, small division, comparison. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MAX 40
#define BASE 1000000000u
typedef struct { int n; uint32_t d[MAX]; } big;

static big from(uint64_t x) { big r = { 0 }; while (x) { r.d[r.n++] = x % BASE; x /= BASE; } return r; }
static big add(big a, const big *b) { uint32_t c = 0; int i; for (i = 0; i < b->n || i < a.n || c; i++) { c += (i < a.n ? a.d[i] : 0) + (i < b->n ? b->d[i] : 0); a.d[i] = c % BASE; c /= BASE; if (i >= a.n) a.n = i + 1; } return a; }
static big mul(const big *a, const big *b)
{
    big r = { 0 }; int i, j;
    for (i = 0; i < a->n; i++) {
        uint64_t c = 0;
        for (j = 0; j < b->n || c; j++) { c += r.d[i + j] + (uint64_t)a->d[i] * (j < b->n ? b->d[j] : 0); r.d[i + j] = c % BASE; c /= BASE; }
    }
    r.n = a->n + b->n;
    while (r.n && !r.d[r.n - 1]) r.n--;
    return r;
}
static uint32_t divs(big *a, uint32_t k) { uint64_t r = 0; int i; for (i = a->n; i-- > 0;) { r = r * BASE + a->d[i]; a->d[i] = r / k; r %= k; } while (a->n && !a->d[a->n - 1]) a->n--; return r; }
static int cmp(const big *a, const big *b) { int i; if (a->n != b->n) return a->n < b->n ? -1 : 1; for (i = a->n; i-- > 0;) if (a->d[i] != b->d[i]) return a->d[i] < b->d[i] ? -1 : 1; return 0; }
static void show(const char *s, const big *a) { int i; printf("%s", s); if (!a->n) printf("0"); else printf("%u", a->d[a->n - 1]); for (i = a->n - 1; i-- > 0;) printf("%09u", a->d[i]); printf("\n"); }

int main(void)
{
    big f = from(1), a = from(0), b = from(1), t;
    int i;
    for (i = 2; i <= 60; i++) { t = from(i); f = mul(&f, &t); }
    show("60! = ", &f);
    for (i = 0; i < 300; i++) { t = add(a, &b); a = b; b = t; }
    show("fib 300 = ", &a);
    t = mul(&a, &a); show("squared = ", &t);
    printf("%u ", divs(&t, 1000003)); show("quotient ", &t);
    printf("%d %d %d\n", cmp(&a, &b), cmp(&b, &a), cmp(&a, &a));
    b = from(2); a = from(1);
    for (i = 0; i < 8; i++) b = mul(&b, &b), show("", &b);
    a = from(18446744073709551615ull); b = from(1); a = add(a, &b); show("2^64 = ", &a);
    for (i = 0; a.n; i++) divs(&a, 2);
    printf("%d ", i); show("zero ", &a);
    return 0;
}
