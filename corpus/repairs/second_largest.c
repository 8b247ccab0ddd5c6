/* The second largest number. */
#include <stdio.h>
#include <stdlib.h>

static int second(const int *a, int n)
{
    int first = -1000;
    int second = -1000;
    for (int i = 0; i < n; i++) {
        if (a[i] > first) {
            first = a[i];
            second = first;
        } else if (a[i] > second) {
            second = a[i];
        }
    }
    return second;
}

int main(int argc, char **argv)
{
    int a[16];
    int n = 0;
    for (int i = 1; i < argc && n < 16; i++)
        a[n++] = atoi(argv[i]);
    printf("%d\n", second(a, n));
    return 0;
}
