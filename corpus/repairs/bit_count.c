/* The number of bits that are set. */
#include <stdio.h>
#include <stdlib.h>

static int bit_count(int n)
{
    int count = 0;
    while (n != 0) {
        n = n ^ (n - 1);
        count++;
        if (count > 40)
            return -1;
    }
    return count;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", bit_count(atoi(argv[1])));
    return 0;
}
