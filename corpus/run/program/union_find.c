/* Union-find with path compression and ranks: components, Kruskal's minimum spanning tree. */
#include <stdio.h>
#include <stdlib.h>

static int parent[32], rank_[32], sets;
static int find(int x) { return parent[x] == x ? x : (parent[x] = find(parent[x])); }
static int unite(int a, int b)
{
    a = find(a); b = find(b);
    if (a == b) return 0;
    if (rank_[a] < rank_[b]) { int t = a; a = b; b = t; }
    parent[b] = a;
    rank_[a] += rank_[a] == rank_[b];
    sets--;
    return 1;
}
struct edge { int w, a, b; };
static int cmp(const void *x, const void *y) { const struct edge *p = x, *q = y; return p->w != q->w ? p->w - q->w : p->a != q->a ? p->a - q->a : p->b - q->b; }
static void reset(int n) { int i; for (sets = n, i = 0; i < n; i++) { parent[i] = i; rank_[i] = 0; } }

int main(void)
{
    struct edge e[40];
    int i, n = 0, w = 0;
    unsigned s = 99;
    reset(20);
    for (i = 0; i < 14; i++) { s = s * 1103515245u + 12345u; printf("%d", unite(s >> 16 & 15, s >> 20 & 15)); }
    printf(" %d %d %d\n", sets, find(3) == find(5), find(19) == 19);
    reset(12);
    for (i = 0; i < 40; i++) { s = s * 1103515245u + 12345u; e[n++] = (struct edge){ s >> 24, (s >> 8) % 12, (s >> 13) % 12 }; }
    qsort(e, n, sizeof *e, cmp);
    for (i = 0; i < n; i++) if (unite(e[i].a, e[i].b)) { printf("%d-%d:%d ", e[i].a, e[i].b, e[i].w); w += e[i].w; }
    printf("\n%d %d\n", w, sets);
    return 0;
}
