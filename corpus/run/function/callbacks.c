/* Callbacks with context pointers, functions returning function pointers, functions as parameters. */
#include <stdio.h>

struct acc { int sum, n; };
static void visit(const int *a, int n, void (*f)(int, void *), void *ctx) { int i; for (i = 0; i < n; i++) f(a[i], ctx); }
static void add(int x, void *c) { struct acc *p = c; p->sum += x; p->n++; }
static void maxi(int x, void *c) { int *m = c; if (x > *m) *m = x; }
static void out(int x, void *c) { printf("%s%d", (const char *)c, x); }

static int inc(int x) { return x + 1; }
static int dbl(int x) { return 2 * x; }
static int (*pick(int k))(int) { return k % 2 ? inc : dbl; }
static int (*(*chooser)(int))(int) = pick;
static int compose(int (*f)(int), int (*g)(int), int x) { return f(g(x)); }

typedef struct obj { int v; int (*get)(struct obj *); struct obj *(*set)(struct obj *, int); } obj;
static int get(obj *o) { return o->v; }
static obj *set(obj *o, int v) { o->v = v; return o; }

int main(void)
{
    int a[] = { 5, 1, 9, 3 }, m = 0, i;
    struct acc s = { 0, 0 };
    obj o = { 1, get, set };
    visit(a, 4, add, &s); visit(a, 4, maxi, &m); visit(a, 4, out, ", ");
    printf("\n%d %d %d\n", s.sum, s.n, m);
    for (i = 0; i < 4; i++) printf("%d ", pick(i)(10 * i));
    printf("%d %d\n", compose(inc, dbl, 5), compose(chooser(0), chooser(1), 5));
    printf("%d\n", o.set(o.set(&o, 5), 6)->get(&o) + 10);
    return o.get(&o);
}
