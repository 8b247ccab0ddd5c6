/* A sorted list that is a global variable. */
void *malloc(unsigned long size);

struct node {
    int key;
    struct node *next;
};

static struct node *list;

int lookup(int k)
{
    struct node *cur = list;
    while (cur != 0 && cur->key < k)
        cur = cur->next;
    return cur != 0 && cur->key == k;
}

void insert(int k)
{
    struct node *prev = 0;
    struct node *cur = list;
    struct node *cell;
    while (cur != 0 && cur->key < k) {
        prev = cur;
        cur = cur->next;
    }
    cell = malloc(sizeof *cell);
    cell->key = k;
    cell->next = cur;
    if (prev == 0)
        list = cell;
    else
        prev->next = cell;
}
