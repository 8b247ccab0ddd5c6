/* The next even number that is not smaller. */
#include <stdio.h>
#include <stdlib.h>

static int next_even(int n)
{
    if (n % 2 != 0)
        return n - 1;
    return n;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", next_even(atoi(argv[1])));
    return 0;
}
