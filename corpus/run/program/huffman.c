/* Huffman coding: heap of tree nodes with deterministic ties, codes, encoded bits, decoding. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct n { int w, id, c; struct n *l, *r; };
static struct n *heap[64]; static int hn, ids;
static int less(struct n *a, struct n *b) { return a->w != b->w ? a->w < b->w : a->id < b->id; }
static void push(struct n *x) { int i = hn++; while (i && less(x, heap[(i - 1) / 2])) { heap[i] = heap[(i - 1) / 2]; i = (i - 1) / 2; } heap[i] = x; }
static struct n *pop(void)
{
    struct n *top = heap[0], *x = heap[--hn]; int i = 0, c;
    while ((c = 2 * i + 1) < hn) { if (c + 1 < hn && less(heap[c + 1], heap[c])) c++; if (!less(heap[c], x)) break; heap[i] = heap[c]; i = c; }
    heap[i] = x;
    return top;
}
static struct n *mk(int w, int c, struct n *l, struct n *r) { struct n *p = malloc(sizeof *p); *p = (struct n){ w, ids++, c, l, r }; return p; }
static char code[128][32];
static void walk(struct n *t, char *buf, int d) { if (!t->l) { buf[d] = 0; strcpy(code[t->c], d ? buf : "0"); return; } buf[d] = '0'; walk(t->l, buf, d + 1); buf[d] = '1'; walk(t->r, buf, d + 1); }
static void drop(struct n *t) { if (t) { drop(t->l); drop(t->r); free(t); } }

int main(void)
{
    const char *s = "she sells sea shells by the sea shore", *p;
    char buf[64], out[512] = "", *q;
    int f[128] = { 0 }, i;
    struct n *root, *t;
    for (p = s; *p; p++) f[(int)*p]++;
    for (i = 0; i < 128; i++) if (f[i]) push(mk(f[i], i, NULL, NULL));
    while (hn > 1) { struct n *a = pop(), *b = pop(); push(mk(a->w + b->w, 0, a, b)); }
    root = pop();
    walk(root, buf, 0);
    for (i = 0; i < 128; i++) if (f[i]) printf("'%c' %d %s\n", i, f[i], code[i]);
    for (p = s; *p; p++) strcat(out, code[(int)*p]);
    printf("%s\n%zu bits of %zu\n", out, strlen(out), strlen(s) * 8);
    for (t = root, q = out; *q; q++) { t = *q == '0' ? t->l : t->r; if (!t->l) { putchar(t->c); t = root; } }
    putchar('\n');
    drop(root);
    return 0;
}
