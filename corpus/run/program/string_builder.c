/* Growable string builder: append text, chars, formatted numbers, insert, replace, reverse. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char *p; size_t n, cap; int grows; } sb;
static void need(sb *s, size_t k) { if (s->n + k + 1 > s->cap) { s->cap = (s->n + k + 1) * 3 / 2; s->p = realloc(s->p, s->cap); s->grows++; } }
static sb *add(sb *s, const char *t) { size_t k = strlen(t); need(s, k); memcpy(s->p + s->n, t, k + 1); s->n += k; return s; }
static sb *addc(sb *s, char c) { need(s, 1); s->p[s->n++] = c; s->p[s->n] = 0; return s; }
static sb *addf(sb *s, const char *f, ...)
{
    va_list ap; int k;
    va_start(ap, f); k = vsnprintf(NULL, 0, f, ap); va_end(ap);
    need(s, k);
    va_start(ap, f); vsprintf(s->p + s->n, f, ap); va_end(ap);
    s->n += k;
    return s;
}
static void insert(sb *s, size_t at, const char *t) { size_t k = strlen(t); need(s, k); memmove(s->p + at + k, s->p + at, s->n - at + 1); memcpy(s->p + at, t, k); s->n += k; }
static int replace(sb *s, const char *a, const char *b)
{
    sb r = { 0 }; const char *q = s->p, *h; int c = 0;
    while ((h = strstr(q, a))) { while (q < h) addc(&r, *q++); add(&r, b); q += strlen(a); c++; }
    add(&r, q);
    r.grows += s->grows;
    free(s->p); *s = r;
    return c;
}

int main(void)
{
    sb s = { 0 };
    int i;
    add(addc(add(&s, "Hello"), ','), " world"); puts(s.p);
    for (i = 0; i < 5; i++) addf(&s, " %d:%03x", i, i * i * 7);
    puts(s.p);
    insert(&s, 0, ">> "); insert(&s, s.n, " <<"); insert(&s, 8, "!!"); puts(s.p);
    printf("%d ", replace(&s, "o", "00")); printf("%d\n", replace(&s, ":0", "="));
    puts(s.p);
    printf("%zu %d %d\n", s.n, strlen(s.p) == s.n, s.cap > s.n);
    free(s.p);
    return 0;
}
