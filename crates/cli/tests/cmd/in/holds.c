#include <assert.h>

extern unsigned nondet_uint(void);

void step(void) {}

int main(void) {
    unsigned n = nondet_uint();
    for (unsigned i = 0; i < n; i++)
        step();
    assert(n + 1 != n);
    return 0;
}
