/* Puts a cell into a sorted list as Glib does it. */
void *malloc(unsigned long size);

struct node {
    int key;
    struct node *next;
};

struct node *insert_sorted(struct node *list, int data)
{
    struct node *tmp_list = list;
    struct node *prev_list = 0;
    struct node *new_list;
    if (list == 0) {
        new_list = malloc(sizeof *new_list);
        new_list->key = data;
        new_list->next = 0;
        return new_list;
    }
    while (tmp_list->next != 0 && data > tmp_list->key) {
        prev_list = tmp_list;
        tmp_list = tmp_list->next;
    }
    new_list = malloc(sizeof *new_list);
    new_list->key = data;
    new_list->next = 0;
    if (tmp_list->next == 0 && data > tmp_list->key) {
        tmp_list->next = new_list;
        return list;
    }
    if (prev_list != 0) {
        prev_list->next = new_list;
        new_list->next = tmp_list;
        return list;
    }
    new_list->next = list;
    return new_list;
}
