#include <stdlib.h>
extern void reach_error(void);

/* A library may give the same memory again. */
int main(void) {
    char *block = malloc(8);
    unsigned long before = (unsigned long)block;
    free(block);
    block = malloc(8);
    if ((unsigned long)block == before)
        reach_error();
    free(block);
    return 0;
}
