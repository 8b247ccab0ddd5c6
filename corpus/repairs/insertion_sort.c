/* Sorts by insertion. */
#include <stdio.h>
#include <stdlib.h>

static void sort(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int value = a[i];
        int j = i;
        while (j > 1 && a[j - 1] > value) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = value;
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
