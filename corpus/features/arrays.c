/* arrays of arrays */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int f(int x) { int a[3][4] = {{0}}; a[2][1] = x; return *(*(a + 2) + 1); }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
