// The allocator gives out what it got back.
#include <stdlib.h>

void reach_error(void);

int main(void)
{
    char *first = malloc(10);
    free(first);
    char *second = malloc(10);
    if (first == second)
        reach_error();
    free(second);
    return 0;
}
