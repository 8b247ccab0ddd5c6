/* nested functions */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int f(int x) { int add(int y) { return x + y; } return add(1); }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 8);
    return 0;
}
