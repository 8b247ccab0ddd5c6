/* Merge sort of a list as Glib does it; the merged list hangs on its first cell, not on a dummy. */
struct node {
    int key;
    struct node *next;
};

static struct node *merge(struct node *l1, struct node *l2)
{
    struct node *list, *l;
    if (l1 == 0)
        return l2;
    if (l2 == 0)
        return l1;
    if (l1->key <= l2->key) {
        list = l1;
        l1 = l1->next;
    } else {
        list = l2;
        l2 = l2->next;
    }
    l = list;
    l->next = 0;
    while (l1 != 0 && l2 != 0) {
        if (l1->key <= l2->key) {
            l->next = l1;
            l1 = l1->next;
        } else {
            l->next = l2;
            l2 = l2->next;
        }
        l = l->next;
        l->next = 0;
    }
    l->next = l1 != 0 ? l1 : l2;
    return list;
}

struct node *glib_sort(struct node *list)
{
    struct node *l1, *l2;
    if (list == 0)
        return 0;
    if (list->next == 0)
        return list;
    l1 = list;
    l2 = list->next;
    while (l2 != 0) {
        l2 = l2->next;
        if (l2 == 0)
            break;
        l1 = l1->next;
        l2 = l2->next;
    }
    l2 = l1->next;
    l1->next = 0;
    list = merge(glib_sort(list), glib_sort(l2));
    return list;
}
