/* The eighth number is 21; from the ninth on they are at least 34, until they wrap around. */
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
    assert(x < 8 || value >= 34);
    return 0;
}
