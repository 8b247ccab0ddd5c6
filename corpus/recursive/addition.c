/* Counting gives the sum, modulo 2^32. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

/* One step towards zero at a time; the sum wraps around as `int` does. */
static int plus(int a, int b) {
    if (b == 0)
        return a;
    if (b > 0)
        return plus(a + 1, b - 1);
    return plus(a - 1, b + 1);
}

int main(void) {
    int m = __VERIFIER_nondet_int();
    if (m < 0)
        return 0;
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    int sum = plus(m, n);
    assert(sum == (int)((unsigned)m + (unsigned)n));
    return 0;
}
