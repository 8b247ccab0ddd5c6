/* Tables of function pointers, indirect calls in all spellings, comparisons, null checks. */
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
typedef int (*binop)(int, int);
typedef int fn(int, int);

static const struct { char c; binop f; } ops[] = { { '+', add }, { '-', sub }, { '*', &mul }, { 0, 0 } };
fn add;

static binop lookup(char c)
{
    int i;
    for (i = 0; ops[i].f; i++) if (ops[i].c == c) return ops[i].f;
    return NULL;
}
static int fold(fn *f, int init, const int *a, int n) { while (n--) init = f(init, *a++); return init; }

int main(void)
{
    int a[] = { 2, 3, 4 };
    binop t[2][2] = { { add, sub }, { mul, add } };
    int (*p)(int, int) = add;
    const char *s = "+-*/";
    printf("%d %d %d %d\n", p(1, 2), (*p)(3, 4), (**p)(5, 6), (&add)(7, 8));
    for (; *s; s++) { binop f = lookup(*s); if (f) printf("%c %d ", *s, f(10, 4)); else printf("%c none ", *s); }
    printf("\n%d %d %d\n", fold(add, 0, a, 3), fold(mul, 1, a, 3), fold(sub, 0, a, 3));
    printf("%d %d\n", t[1][0](6, 7), (*t[0][1])(6, 7));
    printf("%d %d\n", lookup('+') == add, lookup('-') == add);
    p = p == add ? sub : add;
    printf("%d\n", p(1, 1));
    printf("%zu\n", sizeof t);
    return lookup('*')(3, 5);
}
