/* unions, type punning */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
union u { float f; unsigned n; };
static int f(int x) { union u u; u.n = 0x3f800000; return u.f == 1.0f ? x : 0; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
