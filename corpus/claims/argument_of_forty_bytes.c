#include <string.h>
extern void reach_error(void);

/* Longer than what is looked at. */
int main(int argc, char **argv) {
    if (argc > 1 && strlen(argv[1]) == 40)
        reach_error();
    return 0;
}
