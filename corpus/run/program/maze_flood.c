/* Flood fill and breadth-first search in a maze of strings, path reconstruction, recursion on a grid. */
#include <stdio.h>
#include <string.h>

static char m[][22] = { "#####################", "#S..#.....#.....#...#", "###.#.###.#.###.#.#.#", "#...#.#.....#.#...#.#", "#.###.#######.#####.#", "#.............#....E#", "#####################" };
enum { H = sizeof m / sizeof m[0], W = sizeof m[0] - 1 };
static int dist[H][W];
static const signed char dy[] = { 0, 1, 0, -1 }, dx[] = { 1, 0, -1, 0 };
static int fill(int y, int x) { int k, n = 1; if (m[y][x] == '#' || dist[y][x] < 0) return 0; dist[y][x] = -1; for (k = 0; k < 4; k++) n += fill(y + dy[k], x + dx[k]); return n; }

int main(void)
{
    int q[H * W], head = 0, tail = 0, y, x, k, ey = 0, ex = 0, sy = 0, sx = 0;
    for (y = 0; y < H; y++) for (x = 0; x < W; x++) if (m[y][x] == 'S') { sy = y; sx = x; } else if (m[y][x] == 'E') { ey = y; ex = x; }
    printf("%d\n", fill(sy, sx));
    memset(dist, 0, sizeof dist);
    dist[sy][sx] = 1; q[tail++] = sy * W + sx;
    while (head < tail) {
        y = q[head] / W; x = q[head++] % W;
        for (k = 0; k < 4; k++) { int ny = y + dy[k], nx = x + dx[k]; if (m[ny][nx] != '#' && !dist[ny][nx]) { dist[ny][nx] = dist[y][x] + 1; q[tail++] = ny * W + nx; } }
    }
    printf("%d %d\n", dist[ey][ex] - 1, tail);
    for (y = ey, x = ex; dist[y][x] > 1;) for (k = 0; k < 4; k++) if (dist[y + dy[k]][x + dx[k]] == dist[y][x] - 1) { y += dy[k]; x += dx[k]; if (m[y][x] == '.') m[y][x] = '+'; break; }
    for (y = 0; y < H; y++) puts(m[y]);
    return 0;
}
