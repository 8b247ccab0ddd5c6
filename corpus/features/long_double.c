/* `long double` */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int f(int x) { long double d = x; return d * 0.5L == 3.5L; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(!f(x));
    return 0;
}
