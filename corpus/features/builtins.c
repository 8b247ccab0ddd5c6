/* GNU built-ins */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int f(int x) { int y; if (__builtin_add_overflow(x, 1, &y)) return 0; return __builtin_popcount(y) == 1 && __builtin_ctz(y) == 3 ? 7 : 0; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
