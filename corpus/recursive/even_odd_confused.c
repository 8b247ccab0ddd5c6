/* Even numbers have no remainder. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int is_even(int n);

static int is_odd(int n) {
    if (n == 0)
        return 0;
    if (n == 1)
        return 1;
    return is_even(n - 1);
}

static int is_even(int n) {
    if (n == 0)
        return 1;
    if (n == 1)
        return 0;
    return is_odd(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int even = is_even(n);
    assert(even < 0 || even == n % 2);
    return 0;
}
