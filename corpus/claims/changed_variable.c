#include <stdlib.h>
extern void reach_error(void);

int main(void) {
    setenv("A", "1", 1);
    if (getenv("A") == 0)
        reach_error();
    return 0;
}
