/* Sudoku solver with candidate masks and backtracking on the most constrained cell. */
#include <stdio.h>

static const char *puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
static int g[81]; static unsigned row[9], col[9], box[9]; static int nodes;
#define BOX(i) ((i) / 27 * 3 + (i) % 9 / 3)
static void set(int i, int v) { unsigned b = 1u << v; g[i] = v; row[i / 9] |= b; col[i % 9] |= b; box[BOX(i)] |= b; }
static void clear(int i) { unsigned b = ~(1u << g[i]); g[i] = 0; row[i / 9] &= b; col[i % 9] &= b; box[BOX(i)] &= b; }
static int solve(void)
{
    int i, best = -1, n = 10; unsigned c, bc = 0;
    nodes++;
    for (i = 0; i < 81; i++) if (!g[i]) { int k; c = 0x3fe & ~(row[i / 9] | col[i % 9] | box[BOX(i)]); k = __builtin_popcount(c); if (k < n) { n = k; best = i; bc = c; } }
    if (best < 0) return 1;
    for (; bc; bc &= bc - 1) { set(best, __builtin_ctz(bc)); if (solve()) return 1; clear(best); }
    return 0;
}

int main(void)
{
    int i;
    for (i = 0; i < 81; i++) if (puzzle[i] != '.') set(i, puzzle[i] - '0');
    printf("%d\n", solve());
    for (i = 0; i < 81; i++) printf("%d%s", g[i], i % 9 == 8 ? "\n" : i % 3 == 2 ? " " : "");
    printf("%d\n", nodes > 1);
    return g[40];
}
