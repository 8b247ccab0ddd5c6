/* The greatest common divisor, by Euclid. */
#include <stdio.h>
#include <stdlib.h>

static int gcd(int a, int b)
{
    if (b == 0)
        return a;
    return gcd(a % b, b);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    printf("%d\n", gcd(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
