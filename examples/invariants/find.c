/* Two ways to look for a number: in an array, and in a sorted list. */
struct node {
    int key;
    struct node *next;
};

int find(int a[], int n, int key)
{
    int i;
    for (i = 0; i < n; i++) {
        if (a[i] == key)
            return i;
    }
    return -1;
}

struct node *sorted_find(struct node *head, int k)
{
    struct node *cur = head;
    while (cur != 0 && cur->key < k)
        cur = cur->next;
    return cur;
}
