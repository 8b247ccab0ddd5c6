#include <assert.h>

int main(void) {
    int x = 1;
    __asm__("nop" : "+r"(x));
    assert(x == 2);
    return 0;
}
