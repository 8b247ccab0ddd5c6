/* Topological sort by depth-first search with colours and by in-degrees; cycle detection; adjacency lists. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 9 };
struct e { int to; struct e *next; };
static struct e *adj[N]; static int indeg[N], order[N], no; static enum { WHITE, GREY, BLACK } color[N];
static void edge(int a, int b) { struct e *x = malloc(sizeof *x); x->to = b; x->next = adj[a]; adj[a] = x; indeg[b]++; }
static int visit(int v) { struct e *x; if (color[v] == GREY) return 0; if (color[v] == BLACK) return 1; color[v] = GREY; for (x = adj[v]; x; x = x->next) if (!visit(x->to)) return 0; color[v] = BLACK; order[no++] = v; return 1; }
static int kahn(int *out)
{
    int d[N], q[N], h = 0, t = 0, v; struct e *x;
    for (v = 0; v < N; v++) if (!(d[v] = indeg[v])) q[t++] = v;
    while (h < t) { v = out[h] = q[h]; h++; for (x = adj[v]; x; x = x->next) if (!--d[x->to]) q[t++] = x->to; }
    return h;
}
static int dfs(void) { int v; no = 0; for (v = 0; v < N; v++) color[v] = WHITE; for (v = 0; v < N; v++) if (!visit(v)) return 0; return 1; }

int main(void)
{
    static const char deps[] = "01 02 13 23 34 56 54 78 38";
    int out[N], i, n; const char *p;
    for (p = deps; ; p += 3) { edge(p[0] - '0', p[1] - '0'); if (!p[2]) break; }
    printf("%d:", dfs()); for (i = N; i--;) printf(" %d", order[i]);
    n = kahn(out); printf("\n%d:", n); for (i = 0; i < n; i++) printf(" %d", out[i]);
    edge(8, 1);
    printf("\n%d ", dfs()); printf("%d\n", kahn(out));
    for (i = 0; i < N; i++) while (adj[i]) { struct e *x = adj[i]; adj[i] = x->next; free(x); }
    return n;
}
