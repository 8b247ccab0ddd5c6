/* recursion */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int f(int n) { return n <= 0 ? 0 : n + f(n - 1); }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x < 0 || x > 9 || f(x) != 28);
    return 0;
}
