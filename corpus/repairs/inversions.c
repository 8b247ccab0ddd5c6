/* Pairs that are in the wrong order. */
#include <stdio.h>
#include <stdlib.h>

static int inversions(const int *a, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (a[i] >= a[j])
                count++;
    return count;
}

int main(int argc, char **argv)
{
    int a[16];
    int n = 0;
    for (int i = 1; i < argc && n < 16; i++)
        a[n++] = atoi(argv[i]);
    printf("%d\n", inversions(a, n));
    return 0;
}
