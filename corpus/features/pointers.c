/* pointer arithmetic */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int f(int x) { int a[8]; int *p = a, *q = a + 8; while (p < q) *p++ = x; return q - p + a[3]; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
