#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uchar();
    assert(x * x % 7 != 3); /* 3 is no square modulo 7 */
    return 0;
}
