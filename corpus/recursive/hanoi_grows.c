/* There are at least as many moves as discs. */
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
    assert(moves(n) >= n);
    return 0;
}
