/* Prints a name that is gone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *name = malloc(40);
    strcpy(name, "Grace");
#ifdef FIXED
    puts(name);
    free(name);
#else
    free(name);
    puts(name); /* BUG */
#endif
    return 0;
}
