/* A common divisor of positive numbers is positive. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int gcd(int a, int b) {
    if (a <= 0 || b <= 0)
        return 0;
    if (a == b)
        return a;
    if (a > b)
        return gcd(a - b, b);
    return gcd(a, b - a);
}

int main(void) {
    int m = __VERIFIER_nondet_int();
    if (m < 1)
        return 0;
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    assert(gcd(m, n) >= 1);
    return 0;
}
