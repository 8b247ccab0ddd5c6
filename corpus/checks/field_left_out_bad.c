// property: uninitialised
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };

int main(void)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        return 1;
    n->value = __VERIFIER_nondet_int();
    /* next is left as it is */
    int is_last = n->next == 0;
    free(n);
    return is_last;
}
