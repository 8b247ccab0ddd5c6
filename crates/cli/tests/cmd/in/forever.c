#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char level = 0;
    for (;;) {
        if (__VERIFIER_nondet_uchar() > 9) {
        UP:
            level = 1;
        } else {
        DOWN:
            level = 0;
        }
        assert(level < 2);
    }
}
