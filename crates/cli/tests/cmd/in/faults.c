#include <stdlib.h>
int f(int which)
{
    int *p = malloc(8), zero = 0;
    if (which == 1)
        return p[2];
    free(p);
    if (which == 2)
        return *p;
    if (which == 3)
        free(p);
    if (which == 4)
        return 1 / zero;
    return 0;
}
