/* The largest number. */
#include <stdio.h>
#include <stdlib.h>

static int largest(const int *a, int n)
{
    int best = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > best)
            best = a[i];
    return best;
}

int main(int argc, char **argv)
{
    int a[16];
    int n = 0;
    for (int i = 1; i < argc && n < 16; i++)
        a[n++] = atoi(argv[i]);
    printf("%d\n", largest(a, n));
    return 0;
}
