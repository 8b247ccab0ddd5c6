// No run fails, but nobody can know that from a few rounds: 40 of them are needed to come near.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static void tick(void) {}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned a = 0, b = 0;
    while (n > 0) {
        tick();
        a += 2;
        b += 1;
        n--;
    }
    assert(a == 2 * b);
    return 0;
}
