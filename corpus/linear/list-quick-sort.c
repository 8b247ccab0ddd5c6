/* Quick sort of a list: what is below the first key, the first cell, the rest. */
struct node {
    int key;
    struct node *next;
};

static struct node *append(struct node *front, struct node *back)
{
    struct node *last = front;
    if (front == 0)
        return back;
    while (last->next != 0)
        last = last->next;
    last->next = back;
    return front;
}

struct node *quick_sort(struct node *head)
{
    struct node *low = 0;
    struct node *high = 0;
    struct node *pivot = head;
    struct node *cur, *next;
    if (head == 0 || head->next == 0)
        return head;
    cur = head->next;
    pivot->next = 0;
    while (cur != 0) {
        next = cur->next;
        if (cur->key < pivot->key) {
            cur->next = low;
            low = cur;
        } else {
            cur->next = high;
            high = cur;
        }
        cur = next;
    }
    pivot->next = quick_sort(high);
    head = append(quick_sort(low), pivot);
    return head;
}
