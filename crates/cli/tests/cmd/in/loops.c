#include <assert.h>
extern int nondet_int(void);

static int depth(int n) { return n > 0 ? 1 + depth(n - 1) : 0; }

int main(void) {
    int rounds = 0, inner = 0;
    while (nondet_int())
        rounds++;
    do {
        inner++;
    } while (inner < 3 && nondet_int());
    assert(rounds != 5 || inner != 2);
    assert(depth(nondet_int() & 3) < 4);
}
