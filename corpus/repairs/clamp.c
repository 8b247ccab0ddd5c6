/* A number moved into an interval. */
#include <stdio.h>
#include <stdlib.h>

static int clamp(int value, int low, int high)
{
    if (value < low)
        return low;
    if (value > high)
        return low;
    return value;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    printf("%d\n", clamp(atoi(argv[1]), atoi(argv[2]), atoi(argv[3])));
    return 0;
}
