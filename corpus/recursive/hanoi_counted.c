/* The formula counts the moves that are made. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int moves(int n) {
    if (n == 1)
        return 1;
    return 2 * moves(n - 1) + 1;
}

static int made;

static void move_tower(int n, int from, int to, int via) {
    if (n == 0)
        return;
    made++;
    move_tower(n - 1, from, via, to);
    move_tower(n - 1, via, to, from);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 31)
        return 0;
    made = 0;
    move_tower(n, 1, 3, 2);
    assert(moves(n) == made);
    return 0;
}
