/* Binary heap as a generic priority queue with a comparator; event simulation with stable tie-breaking. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pq { char *a; size_t n, cap, w; int (*cmp)(const void *, const void *); };
static void *at(struct pq *q, size_t i) { return q->a + i * q->w; }
static void swap(struct pq *q, size_t i, size_t j) { char t[32]; memcpy(t, at(q, i), q->w); memcpy(at(q, i), at(q, j), q->w); memcpy(at(q, j), t, q->w); }
static void push(struct pq *q, const void *x)
{
    size_t i = q->n++;
    if (q->n > q->cap) q->a = realloc(q->a, (q->cap = q->cap * 2 + 1) * q->w);
    memcpy(at(q, i), x, q->w);
    for (; i && q->cmp(at(q, i), at(q, (i - 1) / 2)) < 0; i = (i - 1) / 2) swap(q, i, (i - 1) / 2);
}
static int pop(struct pq *q, void *x)
{
    size_t i = 0, c;
    if (!q->n) return 0;
    memcpy(x, at(q, 0), q->w);
    swap(q, 0, --q->n);
    while ((c = 2 * i + 1) < q->n) { if (c + 1 < q->n && q->cmp(at(q, c + 1), at(q, c)) < 0) c++; if (q->cmp(at(q, i), at(q, c)) <= 0) break; swap(q, i, c); i = c; }
    return 1;
}
struct ev { int time, seq; const char *what; };
static int by_time(const void *a, const void *b) { const struct ev *x = a, *y = b; return x->time != y->time ? x->time - y->time : x->seq - y->seq; }
static int chars(const void *a, const void *b) { return *(const char *)b - *(const char *)a; }

int main(void)
{
    struct pq q = { .w = sizeof(struct ev), .cmp = by_time }, c = { .w = 1, .cmp = chars };
    struct ev e; int seq = 0; char ch; const char *s;
    push(&q, &(struct ev){ 5, seq++, "timer" }); push(&q, &(struct ev){ 1, seq++, "start" }); push(&q, &(struct ev){ 5, seq++, "poll" });
    while (pop(&q, &e)) {
        printf("%d:%s#%d ", e.time, e.what, e.seq);
        if (e.time < 12 && e.what[0] != 'p') push(&q, &(struct ev){ e.time + 4, seq++, e.what });
        if (e.time == 9 && e.what[0] != 'p') push(&q, &(struct ev){ 9, seq++, "pulse" });
    }
    printf("%d\n", seq);
    for (s = "priority"; *s; s++) push(&c, s);
    while (pop(&c, &ch)) putchar(ch);
    putchar('\n');
    free(q.a); free(c.a);
    return 0;
}
