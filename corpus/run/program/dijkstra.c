/* Dijkstra's shortest paths on a small graph, Floyd-Warshall for comparison, path printing. */
#include <limits.h>
#include <stdio.h>

enum { N = 8, INF = INT_MAX / 2 };
static const struct { char a, b; short w; } edges[] = { { 0, 1, 4 }, { 0, 2, 1 }, { 2, 1, 2 }, { 1, 3, 5 }, { 2, 3, 8 }, { 3, 4, 3 }, { 4, 5, 1 }, { 5, 3, 1 }, { 2, 6, 15 }, { 4, 6, 2 } };
static int g[N][N], dist[N], prev[N];

static void dijkstra(int s)
{
    char done[N] = { 0 };
    int i, k, u;
    for (i = 0; i < N; i++) dist[i] = INF, prev[i] = -1;
    dist[s] = 0;
    for (k = 0; k < N; k++) {
        for (u = -1, i = 0; i < N; i++) if (!done[i] && (u < 0 || dist[i] < dist[u])) u = i;
        if (dist[u] == INF) break;
        done[u] = 1;
        for (i = 0; i < N; i++) if (dist[u] + g[u][i] < dist[i]) { dist[i] = dist[u] + g[u][i]; prev[i] = u; }
    }
}
static void path(int v) { if (prev[v] >= 0) { path(prev[v]); printf(">"); } printf("%d", v); }

int main(void)
{
    int i, j, k, f[N][N], bad = 0;
    unsigned e;
    for (i = 0; i < N; i++) for (j = 0; j < N; j++) g[i][j] = i == j ? 0 : INF;
    for (e = 0; e < sizeof edges / sizeof *edges; e++) g[(int)edges[e].a][(int)edges[e].b] = edges[e].w;
    dijkstra(0);
    for (i = 0; i < N; i++) { if (dist[i] == INF) { printf("%d unreachable\n", i); continue; } printf("%d: %d ", i, dist[i]); path(i); printf("\n"); }
    for (i = 0; i < N; i++) for (j = 0; j < N; j++) f[i][j] = g[i][j];
    for (k = 0; k < N; k++) for (i = 0; i < N; i++) for (j = 0; j < N; j++) if (f[i][k] + f[k][j] < f[i][j]) f[i][j] = f[i][k] + f[k][j];
    for (i = 0; i < N; i++) { dijkstra(i); for (j = 0; j < N; j++) bad += dist[j] != f[i][j]; }
    printf("%d %d\n", bad, f[2][6]);
    return bad;
}
