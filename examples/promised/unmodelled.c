/* Assembly can do anything. */
#include <assert.h>

int main(void) {
    int x = 1;
    __asm__("incl %0" : "+r"(x));
    assert(x == 1);
    return 0;
}
