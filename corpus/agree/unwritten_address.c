/* A pointer that nobody wrote may be the address of an object. Which number that is differs between the
   engines where pointers have 32 bits: what rests on it is undecided, and nobody's bug. */
#include <stdlib.h>

struct node {
    struct node *next;
};

void same(void) {}
void other(void) {}

int main(void) {
    struct node *a = malloc(sizeof *a);
    struct node *b = malloc(sizeof *b);
    if (b->next == a)
        same();
    else
        other();
    return 0;
}
