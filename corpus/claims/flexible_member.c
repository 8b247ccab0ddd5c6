#include <stdlib.h>
extern void reach_error(void);

/* Arrays at the end of a record may be longer than they say. */
struct text { int n; char bytes[1]; };
int main(void) {
    struct text *t = malloc(sizeof(struct text) + 8);
    t->n = 4;
    t->bytes[t->n] = 'x';
    if (t->bytes[4] != 'x')
        reach_error();
    free(t);
    return 0;
}
