/* Inserts into a sorted list. Expected: sorted again. */
struct node { int key; struct node *next; };

struct node *list_insert(struct node *head, struct node *new)
{
    struct node *cur = head, *previous = 0;
    if (new == 0)
        return head;
    while (cur != 0 && cur->key < new->key) {
        previous = cur;
        cur = cur->next;
    }
    new->next = cur;
    if (previous == 0)
        return new;
    previous->next = new;
    return head;
}
