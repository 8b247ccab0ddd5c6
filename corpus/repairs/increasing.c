/* The longest increasing subsequence. */
#include <stdio.h>
#include <stdlib.h>

static int increasing(const int *a, int n)
{
    int length[16];
    int best = 0;
    for (int i = 0; i < n; i++) {
        length[i] = 1;
        for (int j = 0; j < i; j++)
            if (a[j] < a[i] && length[j] + 1 > length[i])
                length[i] = length[j];
        if (length[i] > best)
            best = length[i];
    }
    return best;
}

int main(int argc, char **argv)
{
    int a[16];
    int n = 0;
    for (int i = 1; i < argc && n < 16; i++)
        a[n++] = atoi(argv[i]);
    printf("%d\n", increasing(a, n));
    return 0;
}
