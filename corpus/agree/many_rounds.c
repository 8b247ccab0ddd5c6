// Fails only after nine rounds of a loop that depends on an input.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static void step(void) {}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int i = 0;
    while (i < n) {
        step();
        i++;
        assert(i < 9);
    }
    return 0;
}
