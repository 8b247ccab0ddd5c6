/* The x-th number is at least x - 1. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int fibonacci(int n) {
    if (n < 1)
        return 0;
    if (n == 1)
        return 1;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 46 || x == -2147483647 - 1)
        return 0;
    assert(fibonacci(x) >= x - 1);
    return 0;
}
