#include <string.h>
extern void reach_error(void);

int main(int argc, char **argv) {
    if (argc > 1 && strlen(argv[1]) == 5)
        reach_error();
    return 0;
}
