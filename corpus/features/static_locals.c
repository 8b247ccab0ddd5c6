/* `static` variables */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int next(int x) { static int sum; sum += x; return sum; }
static int f(int x) { next(x); return next(1); }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 8);
    return 0;
}
