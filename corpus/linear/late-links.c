/* A list of any length whose cells are linked one round after they are allocated: no word, and yet all ones. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
extern void *malloc(unsigned long);

struct node { int key; struct node *next; };

int main(void)
{
    struct node *head = malloc(sizeof(struct node)), *p = head;
    while (__VERIFIER_nondet_int()) {
        p->key = 1;
        p->next = malloc(sizeof(struct node));
        p = p->next;
    }
    p->key = 1;
    p->next = 0;
    for (p = head; p != 0; p = p->next)
        if (p->key != 1)
            __VERIFIER_error();
    return 0;
}
