#include <stdlib.h>
extern void reach_error(void);

int main(void) {
    char name[2] = {'A', 0};
    if (getenv(name))
        reach_error();
    return 0;
}
