/* Flexible array members: allocation, sizeof, growth with realloc, arrays of pointers to them. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct str { size_t len; char tag; char data[]; };
struct vec { int n, cap; int v[]; };

static struct str *mk(const char *s)
{
    size_t n = strlen(s);
    struct str *p = malloc(sizeof *p + n + 1);
    p->len = n;
    p->tag = s[0];
    memcpy(p->data, s, n + 1);
    return p;
}

static struct vec *push(struct vec *v, int x)
{
    if (v->n == v->cap) {
        v->cap *= 2;
        v = realloc(v, sizeof *v + v->cap * sizeof v->v[0]);
    }
    v->v[v->n++] = x;
    return v;
}

int main(void)
{
    struct str *a[3] = { mk("flexible"), mk(""), mk("array") };
    struct vec *v = malloc(sizeof *v + sizeof(int));
    long s = 0;
    int i;
    for (i = 0; i < 3; i++) {
        printf("%zu %d '%s'\n", a[i]->len, a[i]->tag, a[i]->data);
        free(a[i]);
    }
    printf("%zu %zu %zu\n", sizeof(struct str), offsetof(struct str, data), sizeof(struct vec));
    v->n = 0; v->cap = 1;
    for (i = 0; i < 100; i++)
        v = push(v, i * i);
    for (i = 0; i < v->n; i++)
        s += v->v[i];
    printf("%d %d %ld\n", v->n, v->cap, s);
    free(v);
    return 0;
}
