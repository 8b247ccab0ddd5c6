/* Puts a new cell into a sorted list, whose head may change. */
void *malloc(unsigned long size);

struct node {
    int key;
    struct node *next;
};

void insert(struct node **head, int k)
{
    struct node *prev = 0;
    struct node *cur = *head;
    struct node *cell;
    while (cur != 0 && cur->key < k) {
        prev = cur;
        cur = cur->next;
    }
    cell = malloc(sizeof *cell);
    cell->key = k;
    cell->next = cur;
    if (prev == 0)
        *head = cell;
    else
        prev->next = cell;
}
