/* The number of moves is never negative. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int moves(int n) {
    if (n == 1)
        return 1;
    return 2 * moves(n - 1) + 1;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 31)
        return 0;
    assert(moves(n) >= 0);
    return 0;
}
