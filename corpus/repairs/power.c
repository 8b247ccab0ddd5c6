/* A power by squaring. */
#include <stdio.h>
#include <stdlib.h>

static int power(int base, int exponent)
{
    int result = 1;
    while (exponent > 0) {
        if (exponent % 2 == 0)
            result *= base;
        base *= base;
        exponent /= 2;
    }
    return result;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    printf("%d\n", power(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
