#include <stdlib.h>
extern void reach_error(void);

int main(int argc, char **argv) {
    if (argc > 1 && atoi(argv[1]) == -77)
        reach_error();
    return 0;
}
