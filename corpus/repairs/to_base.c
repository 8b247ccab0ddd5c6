/* The digits of a number in a base, as a decimal number. */
#include <stdio.h>
#include <stdlib.h>

static int to_base(int n, int base)
{
    int result = 0;
    int place = 1;
    while (n > 0) {
        result += n % base * place;
        place *= base;
        n /= base;
    }
    return result;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    printf("%d\n", to_base(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
