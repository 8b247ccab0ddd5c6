/* The sum of decimal digits. */
#include <stdio.h>
#include <stdlib.h>

static int digit_sum(int n)
{
    int sum = 0;
    while (n > 0) {
        sum += n / 10;
        n /= 10;
    }
    return sum;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", digit_sum(atoi(argv[1])));
    return 0;
}
