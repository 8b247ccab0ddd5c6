#include <string.h>
extern void reach_error(void);

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "magic") == 0)
        reach_error();
    return 0;
}
