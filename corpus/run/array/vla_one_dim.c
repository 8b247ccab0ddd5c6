/* One-dimensional VLAs: run-time sizeof, scope re-entry, parameters, size captured at declaration. */
#include <stdio.h>

static int sum(int n, int a[n]) { int s = 0, i; for (i = 0; i < n; i++) s += a[i]; return s; }

static size_t sized(int n) { double d[n + 1]; d[n] = n; return sizeof d + (size_t)d[n] * 0; }

static int recurse(int n)
{
    int a[n + 1], i, s = 0;
    for (i = 0; i <= n; i++) a[i] = n * i;
    if (n > 0) s = recurse(n - 1);
    for (i = 0; i <= n; i++) s += a[i];
    return s;
}

int main(void)
{
    int n = 5, i, k = 0;
    int a[n], b[n * 2];
    n = 100;
    printf("%zu %zu\n", sizeof a / sizeof a[0], sizeof b);
    for (i = 0; i < 5; i++) { a[i] = i * i; b[i] = -i; b[i + 5] = i; }
    printf("%d %d\n", sum(5, a), sum(7, b));
    for (i = 1; i <= 4; i++) {
        char t[i * 3];
        int j;
        for (j = 0; j < i * 3 - 1; j++) t[j] = 'a' + j;
        t[j] = 0;
        printf("%zu %s\n", sizeof t, t);
    }
    printf("%zu %zu\n", sized(3), sized(10));
    printf("%d\n", recurse(10));
    { int m = 3; typedef int row[m]; m = 9; row r; printf("%zu %d\n", sizeof r, m); }
    printf("%zu\n", sizeof(int[k++ + 4])); printf("%d\n", k);
    return 0;
}
