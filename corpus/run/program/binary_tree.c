/* Binary search tree: insert, three traversals, height, delete with successor, breadth-first queue, free. */
#include <stdio.h>
#include <stdlib.h>

struct t { int k; struct t *l, *r; };
static void insert(struct t **p, int k) { while (*p) { if (k == (*p)->k) return; p = k < (*p)->k ? &(*p)->l : &(*p)->r; } *p = calloc(1, sizeof **p); (*p)->k = k; }
static void in(struct t *p) { if (p) { in(p->l); printf("%d ", p->k); in(p->r); } }
static void pre(struct t *p) { if (!p) { printf("."); return; } printf("%d ", p->k); pre(p->l); pre(p->r); }
static int height(struct t *p) { int a, b; if (!p) return 0; a = height(p->l); b = height(p->r); return 1 + (a > b ? a : b); }
static int del(struct t **p, int k)
{
    struct t *n;
    while ((n = *p) && n->k != k) p = k < n->k ? &n->l : &n->r;
    if (!n) return 0;
    if (n->l && n->r) {
        struct t **q = &n->r;
        while ((*q)->l) q = &(*q)->l;
        n->k = (*q)->k;
        p = q; n = *q;
    }
    *p = n->l ? n->l : n->r;
    free(n);
    return 1;
}
static void bfs(struct t *root)
{
    struct t *q[64]; int h = 0, t = 0;
    if (root) q[t++] = root;
    while (h < t) { struct t *p = q[h++]; printf("%d ", p->k); if (p->l) q[t++] = p->l; if (p->r) q[t++] = p->r; }
    printf("\n");
}
static int drop(struct t *p) { int n; if (!p) return 0; n = drop(p->l) + drop(p->r) + 1; free(p); return n; }

int main(void)
{
    struct t *root = NULL;
    int i;
    for (i = 1; i <= 20; i++) insert(&root, i * 7 % 23);
    insert(&root, 7);
    in(root); printf("\n"); pre(root); printf("\n"); bfs(root);
    printf("%d\n", height(root));
    printf("%d %d %d\n", del(&root, 7), 0, 0);
    printf("%d ", del(&root, 100)); printf("%d ", del(&root, 14)); printf("%d\n", del(&root, 1));
    in(root); printf("\n");
    return drop(root);
}
