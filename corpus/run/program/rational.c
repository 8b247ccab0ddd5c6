/* Rational numbers by value: normalization, arithmetic, comparison, harmonic sums, continued fractions. */
#include <stdio.h>

typedef struct { long n, d; } rat;
static long gcd(long a, long b) { while (b) { long t = a % b; a = b; b = t; } return a < 0 ? -a : a; }
static rat mk(long n, long d) { long g = gcd(n, d); if (d < 0) g = -g; return (rat){ n / g, d / g }; }
static rat add(rat a, rat b) { return mk(a.n * b.d + b.n * a.d, a.d * b.d); }
static rat mul(rat a, rat b) { return mk(a.n * b.n, a.d * b.d); }
static rat inv(rat a) { return mk(a.d, a.n); }
static rat neg(rat a) { a.n = -a.n; return a; }
static int cmp(rat a, rat b) { long l = a.n * b.d, r = b.n * a.d; return (l > r) - (l < r); }
static void show(rat a) { if (a.d == 1) printf("%ld ", a.n); else printf("%ld/%ld ", a.n, a.d); }

int main(void)
{
    rat h = { 0, 1 }, x = { 1, 1 }, e = mk(415, 93), t;
    int i;
    for (i = 1; i <= 20; i++) { h = add(h, mk(1, i)); if (i % 5 == 0) show(h); }
    printf("\n");
    for (i = 0; i < 5; i++) { x = mul(mk(1, 2), add(x, mul(mk(2, 1), inv(x)))); if (x.n > 1000000000) break; show(x); }
    printf("\n");
    for (t = e; ; t = inv(t)) { long q = t.n / t.d; printf("%ld ", q); t = add(t, mk(-q, 1)); if (!t.n) break; }
    printf("\n");
    show(mk(6, -8)); show(mk(-6, -8)); show(mk(0, 5)); show(neg(mk(4, 2)));
    printf("%d %d %d\n", cmp(mk(1, 3), mk(2, 6)), cmp(mk(-1, 2), mk(1, 3)), cmp(mk(7, 2), mk(10, 3)));
    return 0;
}
