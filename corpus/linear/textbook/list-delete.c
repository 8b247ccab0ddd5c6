/* Takes all cells with a key out of a list. Expected: no cell has the key. */
struct node { int key; struct node *next; };

struct node *list_delete(struct node *head, int key)
{
    struct node *cur, *previous;
    while (head != 0 && head->key == key)
        head = head->next;
    if (head == 0)
        return 0;
    previous = head;
    cur = head->next;
    while (cur != 0) {
        if (cur->key == key)
            previous->next = cur->next;
        else
            previous = cur;
        cur = cur->next;
    }
    return head;
}
