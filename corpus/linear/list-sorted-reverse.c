/* Turns a sorted list around in place. */
struct node {
    int key;
    struct node *next;
};

struct node *sorted_reverse(struct node *head)
{
    struct node *prev = 0;
    struct node *next;
    while (head != 0) {
        next = head->next;
        head->next = prev;
        prev = head;
        head = next;
    }
    return prev;
}
