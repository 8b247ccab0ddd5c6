/* A prime is no product of two numbers above one. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int times(int n, int m) {
    if (m < 0)
        return times(n, -m);
    if (m == 0)
        return 0;
    return n + times(n, m - 1);
}

/* Is n a multiple of m? */
static int is_multiple(int n, int m) {
    if (m < 0)
        return is_multiple(n, -m);
    if (n < 0)
        return is_multiple(-n, m);
    if (m == 0)
        return 0;
    if (n == 0)
        return 1;
    return n < m ? 0 : is_multiple(n - m, m);
}

static int has_no_divisor_up_to(int n, int m) {
    if (m <= 1)
        return 1;
    if (is_multiple(n, m))
        return 0;
    return has_no_divisor_up_to(n, m - 1);
}

static int is_prime(int n) {
    if (n <= 1)
        return 0;
    return has_no_divisor_up_to(n, n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 46340)
        return 0;
    int prime = is_prime(n);
    int f = __VERIFIER_nondet_int();
    if (f < 1 || f > 46340)
        return 0;
    int g = __VERIFIER_nondet_int();
    if (g < 1 || g > 46340)
        return 0;
    assert(!prime || times(f, g) != n || f == 1 || g == 1);
    return 0;
}
