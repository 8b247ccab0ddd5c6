/* inline assembler */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int f(int x) { int y = x; __asm__ volatile("" : "+r"(y)); return y; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
