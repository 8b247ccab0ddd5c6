/* variable-length arrays */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int f(int n, int x) { int a[n]; a[n - 1] = x; return a[n - 1]; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(3, x) != 7);
    return 0;
}
