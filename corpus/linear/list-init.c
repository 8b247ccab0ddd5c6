/* Gives all cells of a list the same key. */
struct node {
    int key;
    struct node *next;
};

void list_init(struct node *head, int k)
{
    struct node *cur = head;
    while (cur != 0) {
        cur->key = k;
        cur = cur->next;
    }
}
