/* The greatest common divisor divides, and its arguments stay positive. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int gcd(int a, int b) {
    assert(a > 0 && b > 0);
    if (a == b)
        return a;
    if (a > b)
        return gcd(a - b, b);
    return gcd(a, b - a);
}

static int divides(int n, int m) {
    if (m == 0)
        return 1;
    if (n > m)
        return 0;
    return divides(n, m - n);
}

int main(void) {
    int m = __VERIFIER_nondet_int();
    if (m < 1)
        return 0;
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    assert(divides(gcd(m, n), m));
    return 0;
}
