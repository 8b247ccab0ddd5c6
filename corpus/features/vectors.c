/* vector types */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
typedef int v4 __attribute__((vector_size(16)));
static int f(int x) { v4 a = { x, x, x, x }, b = a + a; return b[2]; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 14);
    return 0;
}
