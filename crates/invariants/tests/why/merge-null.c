struct node { int key; struct node *next; };
struct node *sorted_merge(struct node *a, struct node *b)
{
    struct node *head = 0, *tail = 0;
    while (a != 0 && b != 0) {
        struct node *cell;
        if (a->key <= b->key) { cell = a; a = a->next; }
        else { cell = b; b = b->next; }
        cell->next = 0;
        if (tail == 0) head = cell; else tail->next = cell;
        tail = cell;
    }
    if (tail == 0) return a ? a : b;
    tail->next = a ? a : b;
    return head;
}
