/* Turns a list round in place: what was ascending descends. */
struct node {
    int key;
    struct node *next;
};

void reverse(struct node **head)
{
    struct node *done = 0;
    while (*head != 0) {
        struct node *cell = *head;
        *head = cell->next;
        cell->next = done;
        done = cell;
    }
    *head = done;
}
