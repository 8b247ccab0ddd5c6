/* The product of two matrices of integers. */
#include <stdio.h>

#define N 260

static int a[N][N], b[N][N], c[N][N];

int main(void)
{
    int i, j, k;
    unsigned sum = 0;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            a[i][j] = (i * 7 + j * 3) % 101;
            b[i][j] = (i * 5 + j * 11) % 103;
        }
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            int s = 0;
            for (k = 0; k < N; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            sum = sum * 31 + (unsigned)c[i][j];
    printf("%u\n", sum);
    return 0;
}
