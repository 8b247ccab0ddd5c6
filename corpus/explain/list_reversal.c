// explain:
/* A list of unknown length is reversed in place; a list of two is mistaken for one. */
#include <assert.h>
#include <stdlib.h>

extern int nondet_int(void);

struct node {
    int value;
    struct node *next;
};

struct node *push(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        exit(1);
    node->value = value;
    node->next = list;
    return node;
}

struct node *turn(struct node *node, struct node *before) {
    node->next = before;
    return node;
}

int is_short(struct node *list) {
    /* The bug: `list->next == 0` is meant. */
    return list == 0 || list->next == 0 || list->next->next == 0;
}

struct node *reverse(struct node *list) {
    if (is_short(list))
        return list;
    struct node *before = 0;
    while (list) {
        struct node *next = list->next;
        before = turn(list, before);
        list = next;
    }
    return before;
}

int main(void) {
    struct node *list = 0;
    int n = 0;
    while (n < 4 && nondet_int())
        list = push(list, n++);
    list = reverse(list);
    int expected = 0;
    for (struct node *node = list; node; node = node->next)
        assert(node->value == expected++);
    return 0;
}
