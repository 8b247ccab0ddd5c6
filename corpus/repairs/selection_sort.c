/* Sorts by selection. */
#include <stdio.h>
#include <stdlib.h>

static void sort(int *a, int n)
{
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (a[j] < a[i])
                least = j;
        int old = a[i];
        a[i] = a[least];
        a[least] = old;
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
