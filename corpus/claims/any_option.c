#include <string.h>
extern void reach_error(void);

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-x") == 0)
            reach_error();
    return 0;
}
