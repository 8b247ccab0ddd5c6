// property: no-overflow
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int total = __VERIFIER_nondet_int(), parts = __VERIFIER_nondet_int();
    if (parts == 0)
        return 0;
    if (parts == INT_MIN)
        return 0;
    return total / parts > 0;
}
