/* Only for n >= 0 is the value at least 4; a negative n counts down until it wraps around. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int ackermann(int m, int n) {
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
    int m = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();
    int value = ackermann(m, n);
    assert(m < 2 || value >= 4);
    return 0;
}
