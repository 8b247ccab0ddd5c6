/* Each number becomes the sum up to it. */
#include <stdio.h>
#include <stdlib.h>

static void partial_sums(int *a, int n)
{
    for (int i = 1; i < n; i++)
        a[i] = a[i] - a[i - 1];
}

int main(int argc, char **argv)
{
    int a[16];
    int n = 0;
    for (int i = 1; i < argc && n < 16; i++)
        a[n++] = atoi(argv[i]);
    partial_sums(a, n);
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
