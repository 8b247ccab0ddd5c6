#include <stdlib.h>
extern void reach_error(void);

int main(void) {
    int *p = malloc(4);
    if (p == 0)
        reach_error();
    free(p);
    return 0;
}
