/* The integer square root. */
#include <stdio.h>
#include <stdlib.h>

static int root(int n)
{
    int low = 0;
    int high = n + 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (middle * middle < n)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", root(atoi(argv[1])));
    return 0;
}
