/* Sorts by exchanging neighbours. */
#include <stdio.h>
#include <stdlib.h>

static void sort(int *a, int n)
{
    for (int round = 0; round < n; round++)
        for (int i = 0; i + 2 < n; i++)
            if (a[i] > a[i + 1]) {
                int old = a[i];
                a[i] = a[i + 1];
                a[i + 1] = old;
            }
}

int main(int argc, char **argv)
{
    int a[16];
    int n = 0;
    for (int i = 1; i < argc && n < 16; i++)
        a[n++] = atoi(argv[i]);
    sort(a, n);
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
