/* Two owners of one block. */
#include <stdlib.h>
#include <string.h>

struct person {
    char *name, *shown;
};

int main(void) {
    struct person *person = malloc(sizeof *person);
    person->name = malloc(8);
    strcpy(person->name, "Ada");
    person->shown = person->name;
    free(person->name);
#ifndef FIXED
    free(person->shown); /* BUG */
#endif
    free(person);
    return 0;
}
