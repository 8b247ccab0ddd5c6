// property: no-overflow
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

static int size_of(int n)
{
    return n < 0 ? -n : n;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n == INT_MIN)
        return 0;
    return size_of(n) >= 0;
}
