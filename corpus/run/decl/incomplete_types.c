/* Incomplete types completed later, tags in inner scopes, typedef redefinition, function typedefs, const correctness. */
#include <stdio.h>
#include <stdlib.h>

typedef struct stack stack;
typedef struct stack stack;
stack *make(void);
void push(stack *, int);
int pop(stack *);
enum { CAP = 3 };
typedef int unary(int);
unary neg, dbl;

int main(void)
{
    stack *s = make();
    int i;
    unary *t[] = { neg, dbl };
    for (i = 0; i < 10; i++) push(s, i * i);
    for (i = 0; i < 6; i++) printf("%d ", t[i % 2](pop(s)));
    printf("\n");
    struct stack { char shadow; };
    printf("%zu\n", sizeof(struct stack));
    while ((i = pop(s)) >= 0) printf("%d ", i);
    printf("%d\n", pop(s));
    free(s);
    return 0;
}

struct stack { struct chunk { int v[CAP]; struct chunk *below; } *top; int n; };
stack *make(void) { return calloc(1, sizeof(stack)); }
void push(stack *s, int x)
{
    if (s->n % CAP == 0) { struct chunk *c = malloc(sizeof *c); c->below = s->top; s->top = c; }
    s->top->v[s->n++ % CAP] = x;
}
int pop(stack *s)
{
    int x;
    if (!s->n) return -1;
    x = s->top->v[--s->n % CAP];
    if (s->n % CAP == 0) { struct chunk *c = s->top; s->top = c->below; free(c); }
    return x;
}
int neg(int x) { return -x; }
int dbl(int x) { return 2 * x; }
