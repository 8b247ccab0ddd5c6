// property: valid-memtrack
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int work(int n)
{
    int *room = malloc(40);
    if (!room)
        return 0;
    if (n < 0) {
        /* gives up */
        return -1;
    }
    room[n % 10] = n;
    n = room[n % 10];
    free(room);
    return n;
}

int main(void)
{
    return work(__VERIFIER_nondet_int()) < 0;
}
