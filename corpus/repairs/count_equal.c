/* How often the last argument is among the others. */
#include <stdio.h>
#include <stdlib.h>

static int count(const int *a, int n)
{
    int key = a[n - 1];
    int total = 0;
    for (int i = 0; i < n; i++)
        if (a[i] == key)
            total++;
    return total;
}

int main(int argc, char **argv)
{
    int a[16];
    int n = 0;
    for (int i = 1; i < argc && n < 16; i++)
        a[n++] = atoi(argv[i]);
    printf("%d\n", count(a, n));
    return 0;
}
