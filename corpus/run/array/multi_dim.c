/* Multi-dimensional arrays: row order, decay to pointers to rows, sizeof at each level, 3-D. */
#include <stdio.h>

static int g[2][3][4];
static int rowsum(int r[4]) { return r[0] + r[1] + r[2] + r[3]; }
static int planesum(int p[][4], int n) { int s = 0; while (n--) s += rowsum(*p++); return s; }
static int total(int (*c)[3][4], int n) { int s = 0, i; for (i = 0; i < n; i++) s += planesum(c[i], 3); return s; }

int main(void)
{
    int i, j, k, n = 0;
    int (*row)[4], *flat;
    char words[3][6] = { "one", "two", "three" };
    for (i = 0; i < 2; i++) for (j = 0; j < 3; j++) for (k = 0; k < 4; k++) g[i][j][k] = n++;
    printf("%d %d %d\n", rowsum(g[1][2]), planesum(g[1], 3), total(g, 2));
    printf("%zu %zu %zu %zu\n", sizeof g, sizeof g[0], sizeof g[0][0], sizeof g[0][0][0]);
    row = g[1];
    printf("%d %d %d\n", row[0][0], (*row)[3], row[2][1]);
    row++;
    printf("%d %d\n", **row, *(*(row + 1) + 2));
    flat = &g[0][0][0];
    printf("%d %d\n", flat[3], *(flat + 2));
    printf("%d %d\n", 2[g[1][1]], *(*(*(g + 1) + 2) + 3));
    printf("%td %td\n", &g[1][0][0] - &g[0][2][3], g[1] - g[0]);
    for (i = 0; i < 3; i++) printf("%s %c ", words[i], words[i][1]);
    words[0][0]++;
    printf("%s %zu\n", *words, sizeof words);
    return 0;
}
