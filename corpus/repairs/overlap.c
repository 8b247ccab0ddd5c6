/* How many numbers two closed intervals share: low, high, low, high. */
#include <stdio.h>
#include <stdlib.h>

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int overlap(const int *a, int n)
{
    if (n < 4)
        return -1;
    int low = smaller(a[0], a[2]);
    int high = smaller(a[1], a[3]);
    return larger(0, high - low + 1);
}

int main(int argc, char **argv)
{
    int a[16];
    int n = 0;
    for (int i = 1; i < argc && n < 16; i++)
        a[n++] = atoi(argv[i]);
    printf("%d\n", overlap(a, n));
    return 0;
}
