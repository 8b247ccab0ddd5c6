/* `float` and `double` */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int f(int x) { double d = x; float e = (float)d / 2; return e == 3.5f; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(!f(x));
    return 0;
}
