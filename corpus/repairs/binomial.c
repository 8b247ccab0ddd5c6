/* A binomial coefficient by Pascal. */
#include <stdio.h>
#include <stdlib.h>

static int binomial(int n, int k)
{
    if (k == 0 || k == n)
        return 1;
    if (k > n || n < 0)
        return 0;
    return binomial(n - 1, k - 1) - binomial(n - 1, k);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    printf("%d\n", binomial(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
