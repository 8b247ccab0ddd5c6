/* Deeply nested structs and arrays of structs, member access chains through pointers. */
#include <stdio.h>

struct leaf { char tag; int v[2]; };
struct branch { struct leaf l[2]; struct { short lo, hi; } range; struct leaf *best; };
struct tree { struct branch b[2]; struct branch *hot; int n; };

int main(void)
{
    struct tree t = { { { { { 'a', { 1, 2 } }, { 'b', { 3, 4 } } }, { -5, 5 }, 0 },
                        { { { 'c', { 5, 6 } } }, { 7 } } }, 0, 2 };
    struct tree *p = &t, copy;
    int i, j, k, s = 0;
    t.b[0].best = &t.b[0].l[1];
    p->b[1].best = p->b[0].best - 1;
    p->hot = p->b + 1;
    for (i = 0; i < p->n; i++)
        for (j = 0; j < 2; j++)
            for (k = 0; k < 2; k++)
                s = s * 3 + p->b[i].l[j].v[k];
    printf("%d\n", s);
    printf("%c %d\n", p->hot->best->tag, p->hot[-1].best->v[1]);
    p->hot->best->v[0] += 1000;
    printf("%d %d %d\n", t.b[0].l[0].v[0], p->hot->range.lo, (*p).hot->range.hi);
    (&t.b[1])->l[1] = *t.b[0].best;
    printf("%c %d\n", t.b[1].l[1].tag, *(*(t.b[1].l + 1)).v);
    copy = t;
    copy.hot->range.hi = 77;
    copy.b[1].range.hi = 66;
    printf("%d %d\n", t.b[1].range.hi, copy.b[1].range.hi);
    printf("%d\n", copy.hot == &t.b[1]);
    printf("%zu %zu %zu\n", sizeof(struct leaf), sizeof t.b[0].range, sizeof t.b[0].l);
    return 0;
}
