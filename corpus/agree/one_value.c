// Fails for one value of 2^32: never a bet that it does not.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int sum = 0;
    for (int i = 0; i < 3; i++)
        if (n > i)
            sum += n;
    assert(n != 999);
    return sum == 0;
}
