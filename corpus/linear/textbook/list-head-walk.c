/* Counts the entries of an intrusive, cyclic list. Expected: as many as there are cells but the head. */
struct list_head { struct list_head *next, *prev; };
struct item { int key; struct list_head link; };

int count_key(struct list_head *head, int key)
{
    struct list_head *p;
    int n = 0;
    for (p = head->next; p != head; p = p->next) {
        struct item *i = (struct item *)((char *)p - __builtin_offsetof(struct item, link));
        if (i->key == key)
            n++;
    }
    return n;
}
