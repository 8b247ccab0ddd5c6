/* Merges two sorted lists. Expected: sorted. */
struct node { int key; struct node *next; };

struct node *list_merge(struct node *a, struct node *b)
{
    struct node *head, *tail;
    if (a == 0)
        return b;
    if (b == 0)
        return a;
    if (a->key <= b->key) {
        head = a;
        a = a->next;
    } else {
        head = b;
        b = b->next;
    }
    tail = head;
    while (a != 0 && b != 0) {
        if (a->key <= b->key) {
            tail->next = a;
            a = a->next;
        } else {
            tail->next = b;
            b = b->next;
        }
        tail = tail->next;
    }
    tail->next = a != 0 ? a : b;
    return head;
}
