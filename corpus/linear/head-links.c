/* Puts a new cell into a sorted list, without a special case for the first one: what moves is the
   address of the link that will change. */
void *malloc(unsigned long size);

struct node {
    int key;
    struct node *next;
};

void insert(struct node **link, int k)
{
    struct node *cell;
    while (*link != 0 && (*link)->key < k)
        link = &(*link)->next;
    cell = malloc(sizeof *cell);
    cell->key = k;
    cell->next = *link;
    *link = cell;
}
