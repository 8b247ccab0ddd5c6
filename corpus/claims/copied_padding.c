#include <stdlib.h>
#include <string.h>
extern void reach_error(void);

struct pair {
    char key;
    int value;
};

int main(void) {
    struct pair here, there;
    struct pair *old = malloc(sizeof *old), *new = malloc(sizeof *new);
    here.key = 'k';
    here.value = 2;
    memcpy(&there, &here, sizeof here);
    /* The padding that nobody wrote is copied, too. */
    if (memcmp(&here, &there, sizeof here) != 0)
        reach_error();
    if (!old || !new)
        return 0;
    *old = here;
    memmove(new, old, sizeof *old);
    if (memcmp(new, old, sizeof *old) != 0)
        reach_error();
    return 0;
}
