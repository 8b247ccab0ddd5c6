#include <stdlib.h>
extern void reach_error(void);

/* The same name, the same value. */
int main(void) {
    char *first = getenv("HOME"), *second = getenv("HOME");
    if (first && second && first[0] != second[0])
        reach_error();
    if (!first != !second)
        reach_error();
    return 0;
}
