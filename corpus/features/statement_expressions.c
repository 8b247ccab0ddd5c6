/* statement expressions, `typeof` */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define MAX(a, b) ({ __typeof__(a) m = (a), n = (b); m > n ? m : n; })
static int f(int x) { return MAX(x, 3); }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
