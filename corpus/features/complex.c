/* complex numbers */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#include <complex.h>
static int f(int x) { double complex z = x + 2 * I; return (int)creal(z); }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
