/* Game of life on a torus: a glider and a blinker, double buffering by pointers to arrays. */
#include <stdio.h>
#include <string.h>

enum { H = 8, W = 16 };
typedef unsigned char board[H][W];

static int around(board b, int y, int x)
{
    int dy, dx, n = 0;
    for (dy = -1; dy <= 1; dy++) for (dx = -1; dx <= 1; dx++) if (dy || dx) n += b[(y + dy + H) % H][(x + dx + W) % W];
    return n;
}
static void step(board from, board to) { int y, x; for (y = 0; y < H; y++) for (x = 0; x < W; x++) { int n = around(from, y, x); to[y][x] = n == 3 || (from[y][x] && n == 2); } }
static int show(board b) { int y, x, n = 0; for (y = 0; y < H; y++) { for (x = 0; x < W; x++) { putchar(b[y][x] ? '#' : '.'); n += b[y][x]; } putchar('\n'); } return n; }

int main(void)
{
    static board a, b;
    board *cur = &a, *next = &b, *t;
    int g;
    a[0][1] = a[1][2] = a[2][0] = a[2][1] = a[2][2] = 1;
    memset(&a[5][9], 1, 3);
    for (g = 0; g <= 12; g++) {
        if (g % 6 == 0) { printf("generation %d\n", g); printf("%d alive\n", show(*cur)); }
        step(*cur, *next);
        t = cur; cur = next; next = t;
    }
    return 0;
}
