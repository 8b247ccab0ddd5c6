/* Puts the cells below a pivot in front of the others. */
struct node {
    int key;
    struct node *next;
};

struct node *partition(struct node *head, int pivot)
{
    struct node *low = 0;
    struct node *high = 0;
    struct node *cur = head;
    struct node *next;
    while (cur != 0) {
        next = cur->next;
        if (cur->key < pivot) {
            cur->next = low;
            low = cur;
        } else {
            cur->next = high;
            high = cur;
        }
        cur = next;
    }
    if (low == 0)
        return high;
    cur = low;
    while (cur->next != 0)
        cur = cur->next;
    cur->next = high;
    return low;
}
