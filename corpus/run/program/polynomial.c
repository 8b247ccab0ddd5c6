/* Polynomials as linked lists of terms: parse, add, multiply, differentiate, evaluate, print. */
#include <stdio.h>
#include <stdlib.h>

struct term { int c, e; struct term *next; };
typedef struct term *poly;
static void put(poly *p, int c, int e)
{
    poly n;
    while (*p && (*p)->e > e) p = &(*p)->next;
    if (*p && (*p)->e == e) { if (!((*p)->c += c)) { n = *p; *p = n->next; free(n); } return; }
    if (!c) return;
    n = malloc(sizeof *n); n->c = c; n->e = e; n->next = *p; *p = n;
}
static poly make(const int *c, int n) { poly p = NULL; while (n--) { put(&p, *c, n); c++; } return p; }
static poly add(poly a, poly b) { poly r = NULL; for (; a; a = a->next) put(&r, a->c, a->e); for (; b; b = b->next) put(&r, b->c, b->e); return r; }
static poly mul(poly a, poly b) { poly r = NULL, q; for (; a; a = a->next) for (q = b; q; q = q->next) put(&r, a->c * q->c, a->e + q->e); return r; }
static poly derive(poly a) { poly r = NULL; for (; a; a = a->next) if (a->e) put(&r, a->c * a->e, a->e - 1); return r; }
static long eval(poly p, int x) { long s = 0; for (; p; p = p->next) { long t = p->c; int k; for (k = 0; k < p->e; k++) t *= x; s += t; } return s; }
static void show(poly p)
{
    int first = 1;
    if (!p) printf("0");
    for (; p; p = p->next, first = 0) {
        int c = p->c < 0 ? -p->c : p->c;
        printf("%s", p->c < 0 ? first ? "-" : " - " : first ? "" : " + ");
        if (c != 1 || !p->e) printf("%d", c);
        if (p->e) printf(p->e > 1 ? "x^%d" : "x", p->e);
    }
    printf("\n");
}
static void drop(poly p) { while (p) { poly n = p->next; free(p); p = n; } }

int main(void)
{
    poly a = make((int[]){ 1, 0, -3, 2 }, 4), b = make((int[]){ -1, 0, 4, 1, -2 }, 5), s = add(a, b), m = mul(a, b), d = derive(m), z = NULL, n;
    int i;
    for (i = 0; i < 3; i++) put(&z, -a->c, a->e), put(&z, a->c, a->e);
    n = add(a, z);
    show(a); show(b); show(s); show(m); show(d); show(z); show(n);
    for (i = -2; i <= 2; i++) printf("%ld %ld %d; ", eval(m, i), eval(d, i), eval(m, i) == eval(a, i) * eval(b, i));
    printf("\n");
    drop(a); drop(b); drop(s); drop(m); drop(d); drop(n);
    return 0;
}
