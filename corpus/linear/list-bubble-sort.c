/* Bubble sort of a list by exchanging keys: behind `last` everything is in place. */
struct node {
    int key;
    struct node *next;
};

void bubble_sort(struct node *head)
{
    struct node *last = 0;
    struct node *cur;
    int t;
    while (head != last) {
        cur = head;
        while (cur->next != last) {
            if (cur->key > cur->next->key) {
                t = cur->key;
                cur->key = cur->next->key;
                cur->next->key = t;
            }
            cur = cur->next;
        }
        last = cur;
    }
}
