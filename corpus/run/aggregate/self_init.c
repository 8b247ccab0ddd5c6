/* Initializers with expressions: earlier members, sizeof the object itself, calls, function pointers. */
#include <stdio.h>

static int counter;
static int next(void) { return ++counter; }
static int twice(int x) { return 2 * x; }

struct op { const char *name; int (*f)(int); int arg; };

int main(void)
{
    int a = next(), b = a * 10, c[3] = { a, b, a + b };
    struct op ops[] = { { "twice", twice, b }, { .f = twice, .arg = c[2] } };
    struct { int n; size_t size; } self = { .size = sizeof self, .n = sizeof(ops) / sizeof(ops[0]) };
    int *p = &c[1], **pp = &p, x = **pp + p[-1];
    int first = next();
    int second = next();
    struct { int a, b; } seq = { first, second };
    char buf[sizeof c] = "init";
    const int k = x > 10 ? twice(x) : 0;
    printf("%d %d %d %d %d\n", a, b, c[0], c[1], c[2]);
    printf("%s %d %d\n", ops[0].name, ops[0].f(ops[0].arg), ops[1].f(ops[1].arg));
    printf("%d %zu %d\n", self.n, self.size, ops[1].name == 0);
    printf("%d %d %d %s %zu %d\n", x, seq.a, seq.b, buf, sizeof buf, k);
    {
        int v = v = 3;
        struct op o = ops[0], q = { o.name, o.f, o.arg + v };
        printf("%d %d\n", v, q.f(q.arg));
    }
    return counter;
}
