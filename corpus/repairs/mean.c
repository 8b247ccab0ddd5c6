/* The mean, rounded toward zero. */
#include <stdio.h>
#include <stdlib.h>

static int mean(const int *a, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum / (n + 1);
}

int main(int argc, char **argv)
{
    int a[16];
    int n = 0;
    for (int i = 1; i < argc && n < 16; i++)
        a[n++] = atoi(argv[i]);
    printf("%d\n", mean(a, n));
    return 0;
}
