/* recursive structures */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
struct node { int value; struct node *next; };
static int f(int x) { struct node *list = 0; for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); if (!n) return 0; n->value = x + i; n->next = list; list = n; } int s = 0; while (list) { struct node *n = list; s += n->value; list = n->next; free(n); } return s; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 24);
    return 0;
}
