/* Puts a cell in front of a doubly linked list. Expected: links back lead back. */
struct cell { int key; struct cell *next; struct cell *previous; };

struct cell *dll_push(struct cell *head, struct cell *new)
{
    if (new == 0)
        return head;
    new->next = head;
    new->previous = 0;
    if (head != 0)
        head->previous = new;
    return new;
}
