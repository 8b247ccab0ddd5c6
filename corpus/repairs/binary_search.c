/* Finds the last argument among the others, which are sorted. */
#include <stdio.h>
#include <stdlib.h>

static int find(const int *a, int n)
{
    int key = a[n - 1];
    int low = 0;
    int high = n - 2;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (a[middle] == key)
            return middle;
        if (a[middle] < key)
            low = middle;
        else
            high = middle - 1;
    }
    return -1;
}

int main(int argc, char **argv)
{
    int a[16];
    int n = 0;
    for (int i = 1; i < argc && n < 16; i++)
        a[n++] = atoi(argv[i]);
    printf("%d\n", find(a, n));
    return 0;
}
