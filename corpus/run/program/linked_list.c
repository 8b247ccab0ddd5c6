/* Singly linked list on the heap: insert sorted, reverse, merge, remove, recursive length, free. */
#include <stdio.h>
#include <stdlib.h>

typedef struct node { int v; struct node *next; } node;
static int live;
static node *mk(int v, node *n) { node *p = malloc(sizeof *p); p->v = v; p->next = n; live++; return p; }
static void show(const node *l) { for (; l; l = l->next) printf("%d%s", l->v, l->next ? "->" : ""); printf("\n"); }
static node *insert(node *l, int v) { if (!l || l->v >= v) return mk(v, l); l->next = insert(l->next, v); return l; }
static node *reverse(node *l) { node *r = NULL, *t; while (l) { t = l->next; l->next = r; r = l; l = t; } return r; }
static node *merge(node *a, node *b)
{
    node head, *t = &head;
    while (a && b) if (a->v <= b->v) { t = t->next = a; a = a->next; } else { t = t->next = b; b = b->next; }
    t->next = a ? a : b;
    return head.next;
}
static int length(const node *l) { return l ? 1 + length(l->next) : 0; }
static node *remove_all(node *l, int v)
{
    node *t;
    if (!l) return NULL;
    l->next = remove_all(l->next, v);
    if (l->v != v) return l;
    t = l->next; free(l); live--;
    return t;
}
static node *sort(node *l)
{
    node *slow = l, *fast, *half;
    if (!l || !l->next) return l;
    for (fast = l->next; fast && fast->next; fast = fast->next->next) slow = slow->next;
    half = slow->next; slow->next = NULL;
    return merge(sort(l), sort(half));
}
static void drop(node *l) { while (l) { node *n = l->next; free(l); live--; l = n; } }

int main(void)
{
    node *a = NULL, *b = NULL;
    int i;
    for (i = 0; i < 8; i++) { a = insert(a, i * 37 % 11); b = mk(i * 53 % 17, b); }
    show(a); show(b);
    a = reverse(a); show(a);
    a = merge(reverse(a), b = sort(b)); show(a);
    printf("%d %d\n", length(a), live);
    a = remove_all(a, 4); a = remove_all(a, 0); a = remove_all(a, 99); show(a);
    printf("%d\n", live);
    drop(a);
    printf("%d\n", live);
    return live;
}
