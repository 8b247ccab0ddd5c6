/* The factorial. */
#include <stdio.h>
#include <stdlib.h>

static int factorial(int n)
{
    int product = 1;
    for (int i = 2; i < n; i++)
        product *= i;
    return product;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", factorial(atoi(argv[1])));
    return 0;
}
