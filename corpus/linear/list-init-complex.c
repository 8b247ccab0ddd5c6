/* Sorts an array by heap sort and makes a list of it. */
void *malloc(unsigned long size);

struct node {
    int key;
    struct node *next;
};

/* The elements behind `start` are heaps already. */
static void sift(int a[], int n, int start)
{
    int root = start;
    while (2 * root + 1 < n) {
        int child = 2 * root + 1;
        int t;
        if (child + 1 < n && a[child] < a[child + 1])
            child = child + 1;
        if (a[root] >= a[child])
            return;
        t = a[root];
        a[root] = a[child];
        a[child] = t;
        root = child;
    }
}

static void heap_sort(int a[], int n)
{
    int start, end, t;
    for (start = n / 2 - 1; start >= 0; start--)
        sift(a, n, start);
    for (end = n; end > 1; end--) {
        t = a[0];
        a[0] = a[end - 1];
        a[end - 1] = t;
        sift(a, end - 1, 0);
    }
}

struct node *init_complex(int a[], int n)
{
    struct node *head = 0;
    int i;
    heap_sort(a, n);
    for (i = n - 1; i >= 0; i--) {
        struct node *cell = malloc(sizeof *cell);
        cell->key = a[i];
        cell->next = head;
        head = cell;
    }
    return head;
}
