/* `_Generic` */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define KIND(e) _Generic((e), int: 1, double: 2, default: 3)
static int f(int x) { return KIND(x) == 1 && KIND(1.0) == 2 && KIND("") == 3 ? x : 0; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
