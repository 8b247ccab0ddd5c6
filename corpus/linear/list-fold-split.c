/* Splits a list into what was looked at and the rest, and folds what was looked at. */
struct node {
    int key;
    struct node *next;
};

int fold_split(struct node *head, int least)
{
    struct node *cur = head;
    struct node *seen = 0;
    struct node *next;
    int max = least;
    while (cur != 0) {
        next = cur->next;
        if (cur->key > max)
            max = cur->key;
        cur->next = seen;
        seen = cur;
        cur = next;
    }
    return max;
}
