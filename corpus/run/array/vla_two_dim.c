/* Two-dimensional VLAs: parameters with dimensions, pointers to VLA rows, sizeof rows, heap VLA. */
#include <stdio.h>
#include <stdlib.h>

static void mul(int n, int m, int p, int a[n][m], int b[m][p], int c[n][p])
{
    int i, j, k;
    for (i = 0; i < n; i++)
        for (j = 0; j < p; j++) {
            c[i][j] = 0;
            for (k = 0; k < m; k++) c[i][j] += a[i][k] * b[k][j];
        }
}

static int trace(int n, int (*a)[n]) { int t = 0, i; for (i = 0; i < n; i++) t += a[i][i]; return t; }

int main(void)
{
    int n = 3, m = 4, p = 2, i, j;
    int a[n][m], b[m][p], c[n][p];
    int (*h)[m] = malloc(sizeof(int[n][m]));
    for (i = 0; i < n; i++) for (j = 0; j < m; j++) { a[i][j] = i * m + j; h[i][j] = -a[i][j]; }
    for (i = 0; i < m; i++) for (j = 0; j < p; j++) b[i][j] = i - j;
    mul(n, m, p, a, b, c);
    for (i = 0; i < n; i++) printf("%d %d\n", c[i][0], c[i][1]);
    mul(n, m, p, h, b, c);
    for (i = 0; i < n; i++) printf("%d %d\n", c[i][0], c[i][1]);
    printf("%zu %zu %zu %zu\n", sizeof a, sizeof a[0], sizeof *h, sizeof h[0][0]);
    printf("%td %d\n", (char *)(h + 1) - (char *)h, h[2][3]);
    { int q[m][m]; for (i = 0; i < m * m; i++) q[i / m][i % m] = i; printf("%d\n", trace(m, q)); }
    free(h);
    return 0;
}
