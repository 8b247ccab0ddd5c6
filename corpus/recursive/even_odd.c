/* Odd numbers are those with a remainder. */
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
    if (n < 0)
        return 0;
    int odd = is_odd(n);
    assert(odd < 0 || odd == n % 2);
    return 0;
}
