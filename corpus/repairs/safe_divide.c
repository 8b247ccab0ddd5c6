/* A quotient, or 0 where there is none. */
#include <stdio.h>
#include <stdlib.h>

static int divide(int a, int b)
{
    return a / b;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    printf("%d\n", divide(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
