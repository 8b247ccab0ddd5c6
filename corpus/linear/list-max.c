/* The greatest key of a list that is not empty. */
struct node {
    int key;
    struct node *next;
};

int list_max(struct node *head)
{
    struct node *cur = head->next;
    int max = head->key;
    while (cur != 0) {
        if (cur->key > max)
            max = cur->key;
        cur = cur->next;
    }
    return max;
}
