/* Hash table with chaining and growth: string keys, counts, deletion, ordered output. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ent { char *key; int n; struct ent *next; };
struct map { struct ent **b; size_t cap, len; };
static unsigned hash(const char *s) { unsigned h = 2166136261u; while (*s) h = (h ^ (unsigned char)*s++) * 16777619u; return h; }
static void grow(struct map *m)
{
    size_t i, cap = m->cap ? m->cap * 2 : 4;
    struct ent **b = calloc(cap, sizeof *b), *e, *n;
    for (i = 0; i < m->cap; i++)
        for (e = m->b[i]; e; e = n) { n = e->next; e->next = b[hash(e->key) % cap]; b[hash(e->key) % cap] = e; }
    free(m->b);
    m->b = b; m->cap = cap;
}
static int *get(struct map *m, const char *k)
{
    struct ent *e;
    if (m->len >= m->cap) grow(m);
    for (e = m->b[hash(k) % m->cap]; e; e = e->next) if (!strcmp(e->key, k)) return &e->n;
    e = malloc(sizeof *e);
    e->key = strdup(k); e->n = 0; e->next = m->b[hash(k) % m->cap];
    m->b[hash(k) % m->cap] = e; m->len++;
    return &e->n;
}
static int del(struct map *m, const char *k)
{
    struct ent **p, *e;
    for (p = &m->b[hash(k) % m->cap]; (e = *p); p = &e->next)
        if (!strcmp(e->key, k)) { *p = e->next; free(e->key); free(e); m->len--; return 1; }
    return 0;
}

int main(void)
{
    char text[] = "the cat and the dog and the bird saw a cat and a dog run to the hill by the sea", *w;
    struct map m = { 0 };
    struct ent *e;
    size_t i;
    for (w = strtok(text, " "); w; w = strtok(NULL, " ")) ++*get(&m, w);
    printf("%zu %zu\n", m.len, m.cap);
    for (i = 0; i < m.cap; i++) { printf("%zu:", i); for (e = m.b[i]; e; e = e->next) printf(" %s=%d", e->key, e->n); printf("\n"); }
    printf("%d ", del(&m, "cat")); printf("%d ", del(&m, "cat")); printf("%d\n", *get(&m, "the"));
    printf("%zu %08x\n", m.len, hash("sea"));
    for (i = 0; i < m.cap; i++) while ((e = m.b[i])) { m.b[i] = e->next; free(e->key); free(e); }
    free(m.b);
    return 0;
}
