/* Heap lists as in memory-safety benchmarks: build, check shape, append, split by flag, free everything. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct node { int h; struct node *n; } *List;
static int next_bool(void) { static unsigned s = 77; s = s * 69069u + 5; return s >> 28 & 1; }

int main(void)
{
    List p = 0, a, t = 0, ones = 0, twos = 0;
    int n = 0, k1 = 0, k2 = 0;
    a = (List)malloc(sizeof(struct node));
    if (a == 0) exit(1);
    p = a;
    while (n < 25) {
        n++;
        p->h = next_bool() ? 1 : 2;
        t = (List)malloc(sizeof(struct node));
        if (t == 0) exit(1);
        p->n = t;
        p = p->n;
    }
    p->h = 3; p->n = 0;
    for (p = a; p->h != 3; p = p->n) assert(p->h == 1 || p->h == 2);
    assert(p->n == 0);
    while (a->h != 3) {
        t = a; a = a->n;
        if (t->h == 1) { t->n = ones; ones = t; k1++; } else { t->n = twos; twos = t; k2++; }
    }
    free(a);
    assert(k1 + k2 == n);
    for (p = ones; p; p = t) { assert(p->h == 1); t = p->n; free(p); k1--; }
    for (p = twos; p; p = t) { if (p->h != 2) goto ERROR; t = p->n; free(p); k2--; }
    assert(k1 == 0 && k2 == 0);
    printf("%d nodes checked\n", n);
    return 0;
ERROR:
    assert(0);
    return 1;
}
