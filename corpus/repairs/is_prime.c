/* Whether a number is prime. */
#include <stdio.h>
#include <stdlib.h>

static int is_prime(int n)
{
    if (n < 2)
        return 0;
    for (int d = 2; d * d < n; d++)
        if (n % d == 0)
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", is_prime(atoi(argv[1])));
    return 0;
}
