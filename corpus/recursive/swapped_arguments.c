/* A local variable hides the global one that the calls set. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int g;

static void settle(int a, int b) {
    if (a)
        settle(b, a);
    else
        g = b;
}

int main(void) {
    int g = __VERIFIER_nondet_int();
    int h = !g;
    settle(g, h);
    settle(g, h);
    assert(!g);
    return 0;
}
