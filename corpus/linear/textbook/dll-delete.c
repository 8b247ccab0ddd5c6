/* Takes the first cell with a key out of a doubly linked list. Expected: links back lead back. */
struct cell { int key; struct cell *next; struct cell *previous; };

struct cell *dll_delete(struct cell *head, int key)
{
    struct cell *cur = head;
    while (cur != 0 && cur->key != key)
        cur = cur->next;
    if (cur == 0)
        return head;
    if (cur->next != 0)
        cur->next->previous = cur->previous;
    if (cur->previous != 0)
        cur->previous->next = cur->next;
    else
        head = cur->next;
    return head;
}
