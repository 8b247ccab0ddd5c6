// property: valid-deref
extern int __VERIFIER_nondet_int(void);

struct entry { int key; int value; struct entry *next; };

static struct entry last = { 3, 30, 0 }, middle = { 2, 20, &last }, first = { 1, 10, &middle };

static struct entry *find(int key)
{
    struct entry *e = &first;
    while (e && e->key != key)
        e = e->next;
    return e;
}

int main(void)
{
    struct entry *e = find(__VERIFIER_nondet_int());
    return e ? e->value : 0;
}
