#include <assert.h>

extern int nondet_int(void);

int main(void) {
    int x = nondet_int();
    int y = nondet_int();
    assert(x != 3);
    if (y)
        assert(x != 4);
    assert(x == x);
    return 0;
}
