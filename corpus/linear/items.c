/* Arrays of records. */
struct item {
    int key;
    int value;
};

int find(struct item a[], int n, int key)
{
    int i = 0;
    while (i < n && a[i].key != key)
        i++;
    return i;
}

void copy(struct item *a, struct item *b, int n)
{
    int i;
    for (i = 0; i < n; i++)
        b[i] = a[i];
}

/* Insertion sort; each value stays with its key. */
void sort(struct item a[], int n)
{
    int i, j;
    for (i = 1; i < n; i++) {
        int key = a[i].key;
        int value = a[i].value;
        for (j = i; j > 0 && a[j - 1].key > key; j--)
            a[j] = a[j - 1];
        a[j].key = key;
        a[j].value = value;
    }
}
