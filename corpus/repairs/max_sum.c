/* The largest sum of neighbours, by Kadane. */
#include <stdio.h>
#include <stdlib.h>

static int max_sum(const int *a, int n)
{
    int best = 0;
    int here = 0;
    for (int i = 0; i < n; i++) {
        here = here + a[i];
        if (here < 0)
            here = a[i];
        if (here > best)
            best = here;
    }
    return best;
}

int main(int argc, char **argv)
{
    int a[16];
    int n = 0;
    for (int i = 1; i < argc && n < 16; i++)
        a[n++] = atoi(argv[i]);
    printf("%d\n", max_sum(a, n));
    return 0;
}
