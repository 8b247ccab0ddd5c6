/* Whether a number is the sum of its proper divisors. */
#include <stdio.h>
#include <stdlib.h>

static int is_perfect(int n)
{
    int sum = 0;
    for (int d = 1; d <= n; d++)
        if (n % d == 0)
            sum += d;
    return sum == n;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", is_perfect(atoi(argv[1])));
    return 0;
}
