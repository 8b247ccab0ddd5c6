/* Matrices: product, transpose, determinant by fraction-free elimination, inverse in doubles, power. */
#include <stdio.h>

#define N 4
typedef long mat[N][N];

static void mul(mat r, mat a, mat b) { int i, j, k; for (i = 0; i < N; i++) for (j = 0; j < N; j++) for (r[i][j] = k = 0; k < N; k++) r[i][j] += a[i][k] * b[k][j]; }
static void transpose(mat a) { int i, j; for (i = 0; i < N; i++) for (j = 0; j < i; j++) { long t = a[i][j]; a[i][j] = a[j][i]; a[j][i] = t; } }
static void show(const char *n, mat a) { int i, j; printf("%s\n", n); for (i = 0; i < N; i++) for (j = 0; j < N; j++) printf("%6ld%s", a[i][j], j == N - 1 ? "\n" : ""); }
static long det(mat m)
{
    mat a; long prev = 1; int i, j, k, s = 1;
    for (i = 0; i < N; i++) for (j = 0; j < N; j++) a[i][j] = m[i][j];
    for (k = 0; k < N - 1; k++) {
        if (!a[k][k]) {
            for (i = k + 1; i < N && !a[i][k]; i++) ;
            if (i == N) return 0;
            for (j = 0; j < N; j++) { long t = a[k][j]; a[k][j] = a[i][j]; a[i][j] = t; }
            s = -s;
        }
        for (i = k + 1; i < N; i++) for (j = k + 1; j < N; j++) a[i][j] = (a[i][j] * a[k][k] - a[i][k] * a[k][j]) / prev;
        prev = a[k][k];
    }
    return s * a[N - 1][N - 1];
}
static int solve(double a[N][N + 1])
{
    int i, j, k;
    for (k = 0; k < N; k++) {
        int p = k;
        for (i = k + 1; i < N; i++) if ((a[i][k] < 0 ? -a[i][k] : a[i][k]) > (a[p][k] < 0 ? -a[p][k] : a[p][k])) p = i;
        if (a[p][k] == 0) return 0;
        for (j = 0; j <= N; j++) { double t = a[k][j]; a[k][j] = a[p][j]; a[p][j] = t; }
        for (i = 0; i < N; i++) if (i != k) { double f = a[i][k] / a[k][k]; for (j = k; j <= N; j++) a[i][j] -= f * a[k][j]; }
    }
    for (i = 0; i < N; i++) a[i][N] /= a[i][i];
    return 1;
}

int main(void)
{
    mat a = { { 0, 2, 1, 3 }, { 1, -1, 4, 2 }, { 3, 0, 2, -2 }, { 1, 1, 1, 1 } }, b = { { 1 }, { 0, 1, 5 }, { 0, 0, 1 }, { 2, 0, 0, 1 } }, c;
    double eq[N][N + 1];
    int i, j;
    mul(c, a, b); show("a*b", c);
    transpose(c); show("transposed", c);
    printf("%ld %ld %ld\n", det(a), det(b), det(c));
    for (i = 0; i < N; i++) { for (j = 0; j < N; j++) eq[i][j] = a[i][j]; eq[i][N] = i + 1; }
    printf("%d:", solve(eq));
    for (i = 0; i < N; i++) printf(" %.6f", eq[i][N]);
    printf("\n");
    for (j = 0; j < N; j++) a[3][j] = a[0][j] + a[1][j];
    printf("%ld\n", det(a));
    return 0;
}
