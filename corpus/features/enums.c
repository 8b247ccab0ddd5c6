/* enumerations */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
enum e { A, B = 5, C, D };
static int f(enum e x) { return x == D; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(!f((enum e)x));
    return 0;
}
