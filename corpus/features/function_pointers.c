/* function pointers */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int same(int x) { return x; }
static int none(int x) { (void)x; return 0; }
static int f(int x) { int (*const table[])(int) = { none, same }; return table[x > 0](x); }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
