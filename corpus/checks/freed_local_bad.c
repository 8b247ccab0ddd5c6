// property: valid-free
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char small[16];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 64)
        return 0;
    char *room = n > 16 ? malloc(64) : small;
    if (!room)
        return 1;
    room[0] = 1;
    if (n >= 16)
        free(room);
    return 0;
}
