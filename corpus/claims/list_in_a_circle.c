#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int value; };
int main(void) {
    struct node a = { 0, 1 }, b = { 0, 2 };
    a.next = &b;
    if (__VERIFIER_nondet_int() == 5)
        b.next = &a;
    int steps = 0;
    for (struct node *p = &a; p; p = p->next)
        if (++steps == 10)
            reach_error();
    return 0;
}
