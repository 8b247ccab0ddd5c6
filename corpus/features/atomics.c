/* `_Atomic`, `<stdatomic.h>` */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#include <stdatomic.h>
static atomic_int n;
static int f(int x) { atomic_store(&n, x); int old = x; atomic_compare_exchange_strong(&n, &old, x); return atomic_fetch_add(&n, 1); }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
