/* Adding m n times is adding n m times. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int times(int n, int m) {
    if (m < 0)
        return times(n, -m);
    if (m == 0)
        return 0;
    return n + times(n, m - 1);
}

int main(void) {
    int m = __VERIFIER_nondet_int();
    if (m < 0 || m > 46340)
        return 0;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 46340)
        return 0;
    int one = times(m, n);
    int other = times(n, m);
    assert(one == other || m <= 0 || n <= 0);
    return 0;
}
