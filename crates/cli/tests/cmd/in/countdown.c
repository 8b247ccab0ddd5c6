#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char left = __VERIFIER_nondet_uchar();
    unsigned char steps = 0;
    while (left != 0) {
        left--;
        steps++;
    }
    assert(steps != 5);
    return 0;
}
