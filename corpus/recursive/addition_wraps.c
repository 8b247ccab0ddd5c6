/* Two large numbers have a negative sum: the recursion is 100 deep at least. */
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
    int n = __VERIFIER_nondet_int();
    int sum = plus(m, n);
    assert(m < 100 || n < 100 || sum >= 200);
    return 0;
}
