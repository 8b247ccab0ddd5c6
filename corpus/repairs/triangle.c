/* The kind of a triangle: 3 equal sides, 2, none, or 0 if it is none. */
#include <stdio.h>
#include <stdlib.h>

static int kind(int a, int b, int c)
{
    if (a + b <= c || a + c <= b || b + c <= a)
        return 0;
    if (a == b && b == c)
        return 3;
    if (a == b || b == c || a == b)
        return 2;
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    printf("%d\n", kind(atoi(argv[1]), atoi(argv[2]), atoi(argv[3])));
    return 0;
}
