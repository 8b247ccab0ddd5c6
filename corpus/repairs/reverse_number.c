/* The decimal digits in reverse. */
#include <stdio.h>
#include <stdlib.h>

static int reverse(int n)
{
    int result = 0;
    while (n > 9) {
        result = result * 10 + n % 10;
        n /= 10;
    }
    return result;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", reverse(atoi(argv[1])));
    return 0;
}
