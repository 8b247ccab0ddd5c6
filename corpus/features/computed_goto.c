/* labels as values */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int f(int x) { static void *const to[] = { &&other, &&seven }; goto *to[x == 7]; other: return 0; seven: return 7; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
