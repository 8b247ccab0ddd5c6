/* Container-of, opaque forward declarations, self-referential and mutually referential structs. */
#include <stddef.h>
#include <stdio.h>

struct dept;
struct emp { const char *name; struct dept *d; struct emp *boss; };
struct dept { const char *name; struct emp *head; int n; };
struct link { struct link *next, *prev; };
struct item { int key; struct link l; char c; };

#define container_of(p, T, m) ((T *)((char *)(p) - offsetof(T, m)))

static void insert(struct link *h, struct link *n)
{
    n->next = h->next; n->prev = h;
    h->next->prev = n; h->next = n;
}
static void unlink_it(struct link *n) { n->prev->next = n->next; n->next->prev = n->prev; }

int main(void)
{
    struct dept d = { "tools", 0, 0 };
    struct emp e[] = { { "ann", &d, 0 }, { "bob", &d, e }, { "cy", &d, e + 1 } };
    struct link head = { &head, &head }, *p;
    struct item it[5];
    struct emp *q;
    int i;
    d.head = &e[2];
    for (q = d.head; q; q = q->boss) {
        q->d->n++;
        printf("%s/%s ", q->d->name, q->name);
    }
    printf("%d\n", d.n);
    for (i = 0; i < 5; i++) {
        it[i].key = i * 11; it[i].c = 'a' + i;
        insert(&head, &it[i].l);
    }
    unlink_it(&it[2].l);
    for (p = head.next; p != &head; p = p->next)
        printf("%d%c ", container_of(p, struct item, l)->key, container_of(p, struct item, l)->c);
    for (p = head.prev; p != &head; p = p->prev)
        printf("%c", container_of(p, struct item, l)->c);
    printf("\n");
    return 0;
}
