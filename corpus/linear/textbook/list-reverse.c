/* Reverses a sorted list. Expected: sorted the other way. */
struct node { int key; struct node *next; };

struct node *list_reverse(struct node *head)
{
    struct node *result = 0;
    while (head != 0) {
        struct node *next = head->next;
        head->next = result;
        result = head;
        head = next;
    }
    return result;
}
