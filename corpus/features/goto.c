/* `goto` */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int f(int x) { int n = 0; again: if (n < 3) { n++; goto again; } return x + n; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 10);
    return 0;
}
