/* For 102 it is 92. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int ninety_one(int x) {
    if (x > 100)
        return x - 10;
    return ninety_one(ninety_one(x + 11));
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int value = ninety_one(x);
    assert(value == 91 || (x > 102 && value == x - 10));
    return 0;
}
