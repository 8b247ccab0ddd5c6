/* Index gymnastics: spiral, diagonals, rotation in place, magic squares, Pascal modulo, bit matrix transpose. */
#include <stdio.h>

enum { N = 5 };
static void spiral(int a[N][N])
{
    int t = 0, b = N - 1, l = 0, r = N - 1, i;
    while (t <= b && l <= r) {
        for (i = l; i <= r; i++) printf("%d ", a[t][i]);
        t++;
        for (i = t; i <= b; i++) printf("%d ", a[i][r]);
        r--;
        if (t <= b) { for (i = r; i >= l; i--) printf("%d ", a[b][i]); b--; }
        if (l <= r) { for (i = b; i >= t; i--) printf("%d ", a[i][l]); l++; }
    }
    printf("\n");
}
static void rotate(int a[N][N]) { int i, j; for (i = 0; i < N / 2; i++) for (j = i; j < N - 1 - i; j++) { int t = a[i][j]; a[i][j] = a[N - 1 - j][i]; a[N - 1 - j][i] = a[N - 1 - i][N - 1 - j]; a[N - 1 - i][N - 1 - j] = a[j][N - 1 - i]; a[j][N - 1 - i] = t; } }
static unsigned long flip(unsigned long x) { unsigned long r = 0; int i; for (i = 0; i < 64; i++) if (x >> i & 1) r |= 1ul << ((i & 7) * 8 + (i >> 3)); return r; }

int main(void)
{
    int a[N][N], m[N][N] = { { 0 } }, i, j, k;
    for (i = 0; i < N; i++) for (j = 0; j < N; j++) a[i][j] = i * N + j;
    spiral(a); rotate(a); spiral(a);
    for (k = 0; k < 2 * N - 1; k++) { for (i = k < N ? 0 : k - N + 1; i <= k && i < N; i++) printf("%d ", a[i][k - i]); printf("/ "); }
    printf("\n");
    for (i = 0, j = N / 2, k = 1; k <= N * N; k++) { m[i][j] = k; if (k % N == 0) i = (i + 1) % N; else { i = (i + N - 1) % N; j = (j + 1) % N; } }
    for (i = 0; i < N; i++) { int r = 0, c = 0; for (j = 0; j < N; j++) { printf("%3d", m[i][j]); r += m[i][j]; c += m[j][i]; } printf(" = %d %d\n", r, c); }
    for (i = 0; i < 16; i++) { for (j = 0; j <= i; j++) putchar((i & j) == j ? '*' : ' '); putchar('\n'); }
    printf("%016lx %016lx\n", flip(0xff), flip(0x8040201008040201ul ^ 0x0f00));
    return 0;
}
