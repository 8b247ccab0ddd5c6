/* Turns a sorted list around in place. */
struct node {
    int key;
    struct node *next;
};

struct node *sorted_reverse(struct node *head)
{
    struct node *prev = 0, *cur = head;
    struct node *next;
    while (cur != 0) {
        next = cur->next;
        cur->next = prev;
        prev = cur;
        cur = next;
    }
    return prev;
}
