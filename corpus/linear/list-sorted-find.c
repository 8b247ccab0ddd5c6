/* Looks for a key in a sorted list. */
struct node {
    int key;
    struct node *next;
};

struct node *sorted_find(struct node *head, int k)
{
    struct node *cur = head;
    while (cur != 0 && cur->key < k)
        cur = cur->next;
    return cur;
}
