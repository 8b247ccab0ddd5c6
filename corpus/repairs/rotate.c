/* The array turned to the left by one. */
#include <stdio.h>
#include <stdlib.h>

static void rotate(int *a, int n)
{
    int first = a[0];
    for (int i = 0; i < n - 1; i++)
        a[i] = a[i + 1];
    a[n - 2] = first;
}

int main(int argc, char **argv)
{
    int a[16];
    int n = 0;
    for (int i = 1; i < argc && n < 16; i++)
        a[n++] = atoi(argv[i]);
    rotate(a, n);
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
