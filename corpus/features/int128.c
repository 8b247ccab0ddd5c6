/* `__int128` */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int f(int x) { __int128 big = (__int128)x << 100; return (int)(big >> 100); }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
