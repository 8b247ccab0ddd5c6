/* Pointers to arrays, arrays of pointers to arrays, functions returning pointers to arrays, decay in calls. */
#include <stdio.h>

typedef int row[3];
static row grid[4] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 }, { 10, 11, 12 } };
static int (*get(int i))[3] { return &grid[i]; }
static row *get2(int i) { return grid + i; }
static int sum(row *r, int n) { int s = 0, i; for (; n--; r++) for (i = 0; i < 3; i++) s += (*r)[i]; return s; }
static void scale(int *a, int n, int k) { while (n--) *a++ *= k; }

int main(void)
{
    int (*p)[3] = grid, (*q[2])[3] = { &grid[2], grid + 1 }, (*whole)[4][3] = &grid, i;
    printf("%d %d %d\n", (*p)[1], p[1][1], *(*(p + 2) + 2));
    p++; printf("%d %td\n", **p, p - grid);
    printf("%d %d\n", (*q[0])[0], q[1][0][2]);
    printf("%d %d %zu\n", (*whole)[3][1], whole[0][2][0], sizeof *whole);
    printf("%d %d\n", (*get(3))[2], get2(2)[1][0]);
    printf("%d %d\n", sum(grid, 4), sum(p, 2));
    scale(grid[1], 3, 10); scale(*get(0), 2, -1);
    for (i = 0; i < 12; i++) printf("%d ", grid[i / 3][i % 3]);
    printf("\n");
    { const row *cr = (const row *)grid; int n = 0; for (i = 0; i < 4; i++) n += cr[i][2]; printf("%d\n", n); }
    { char *names[2][2] = { { "ab", "cd" }, { "ef", "gh" } }, *(*np)[2] = names; np++; printf("%s %c\n", np[0][1], (*np)[0][1]); }
    return 0;
}
