/* Whether this fails is up to a function that is not here. */
#include <assert.h>

int measure(void);

int main(void) {
    int room = 10;
    int used = measure();
#ifndef TRUSTING
    if (used >= 0 && used <= room)
#endif
        assert(room - used >= 0);
    return 0;
}
