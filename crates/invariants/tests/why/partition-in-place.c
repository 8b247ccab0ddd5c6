struct node { int key; struct node *next; };
struct node *partition(struct node *head, int pivot)
{
    struct node *cur = head, *prev = 0, *low = 0;
    while (cur != 0) {
        struct node *next = cur->next;
        if (cur->key < pivot && prev != 0) {
            prev->next = next;
            cur->next = low;
            low = cur;
        } else prev = cur;
        cur = next;
    }
    return low;
}
