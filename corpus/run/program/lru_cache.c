/* LRU cache: a doubly linked list through an array of nodes with a lookup table; hits and evictions. */
#include <stdio.h>

enum { CAP = 4, KEYS = 32 };
struct ent { int key, val; struct ent *prev, *next; };
struct lru { struct ent pool[CAP], head; struct ent *at[KEYS]; int used, hits, miss; };

static void unlink_(struct ent *e) { e->prev->next = e->next; e->next->prev = e->prev; }
static void front(struct lru *c, struct ent *e) { e->next = c->head.next; e->prev = &c->head; e->next->prev = e; c->head.next = e; }
static void init(struct lru *c) { *c = (struct lru){ .used = 0 }; c->head.prev = c->head.next = &c->head; }
static int *get(struct lru *c, int k)
{
    struct ent *e = c->at[k];
    if (!e) { c->miss++; return NULL; }
    c->hits++; unlink_(e); front(c, e);
    return &e->val;
}
static int put(struct lru *c, int k, int v)
{
    struct ent *e = c->at[k]; int out = -1;
    if (e) unlink_(e);
    else if (c->used < CAP) e = &c->pool[c->used++];
    else { e = c->head.prev; unlink_(e); out = e->key; c->at[out] = NULL; }
    e->key = k; e->val = v; c->at[k] = e; front(c, e);
    return out;
}
static void show(struct lru *c) { struct ent *e; for (e = c->head.next; e != &c->head; e = e->next) printf("%d=%d ", e->key, e->val); printf("(%d/%d)\n", c->hits, c->miss); }

int main(void)
{
    static struct lru c;
    static const int seq[] = { 1, 2, 3, 1, 4, 5, 1, 2, 6, 1, 7, 3, 1 };
    unsigned i;
    init(&c);
    for (i = 0; i < sizeof seq / sizeof *seq; i++) {
        int *p = get(&c, seq[i]), out = -1;
        if (p) ++*p; else out = put(&c, seq[i], seq[i] * 100);
        if (out >= 0) printf("evict %d: ", out);
        show(&c);
    }
    printf("%d\n", put(&c, 7, 1)); show(&c);
    return c.hits;
}
