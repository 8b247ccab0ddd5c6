#include <stdlib.h>
#include <string.h>
extern void reach_error(void);

int main(void) {
    char *path = getenv("PATH");
    if (path && strlen(path) > 20)
        reach_error();
    return 0;
}
