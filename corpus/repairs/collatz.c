/* Steps of the Collatz sequence until 1. */
#include <stdio.h>
#include <stdlib.h>

static int steps(int n)
{
    int count = 0;
    while (n != 1 && count < 200) {
        if (n % 2 == 0)
            n = n / 2;
        else
            n = 3 * n - 1;
        count++;
    }
    return count;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", steps(atoi(argv[1])));
    return 0;
}
