/* Pointers to pointers: out parameters, list deletion through them, string tables, triple pointers. */
#include <stdio.h>
#include <stdlib.h>

struct node { int v; struct node *next; };

static void push(struct node **h, int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v; n->next = *h; *h = n;
}
static int drop_even(struct node **pp)
{
    int k = 0;
    while (*pp)
        if ((*pp)->v % 2 == 0) { struct node *d = *pp; *pp = d->next; free(d); k++; }
        else pp = &(*pp)->next;
    return k;
}
static void swap(const char **a, const char **b) { const char *t = *a; *a = *b; *b = t; }
static void set(int ***ppp, int v) { ***ppp = v; }

int main(void)
{
    struct node *list = NULL, *p;
    const char *names[] = { "x", "yy", "zzz", NULL }, **q;
    int i, x = 1, *px = &x, **ppx = &px;
    for (i = 0; i < 9; i++) push(&list, i * i - i / 2);
    for (p = list; p; p = p->next) printf("%d ", p->v);
    printf("\n%d:", drop_even(&list));
    for (p = list; p; p = p->next) printf(" %d", p->v);
    printf("\n");
    while (list) { p = list->next; free(list); list = p; }
    swap(&names[0], names + 2);
    for (q = names; *q; q++) printf("%s(%c) ", *q, **q);
    printf("%td\n", q - names);
    set(&ppx, 42);
    printf("%d\n", x);
    { int y = 5; *ppx = &y; *px += 1; printf("%d %d %d\n", x, y, **ppx); }
    return 0;
}
