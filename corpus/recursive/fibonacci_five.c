/* The fifth number is 5. */
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
    int value = fibonacci(x);
    assert(x != 5 || value == 3);
    return 0;
}
