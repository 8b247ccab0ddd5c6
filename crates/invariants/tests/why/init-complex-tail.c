void *malloc(unsigned long size);
struct node { int key; struct node *next; };
static void sort(int a[], int n)
{
    int i, j, t;
    for (i = 1; i < n; i++)
        for (j = i; j > 0 && a[j - 1] > a[j]; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t; }
}
struct node *init_complex(int a[], int n)
{
    struct node *head = 0, *tail = 0;
    int i;
    sort(a, n);
    for (i = 0; i < n; i++) {
        struct node *cell = malloc(sizeof *cell);
        cell->key = a[i];
        cell->next = 0;
        if (tail == 0) head = cell; else tail->next = cell;
        tail = cell;
    }
    return head;
}
