/* `switch`, case ranges */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int f(int x) { switch (x) { case 1 ... 6: return 1; case 7: x++; /* falls through */ case 8: return x; default: return 0; } }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 8 || x == 8);
    return 0;
}
