/* Fails with a long argument. */
#include <assert.h>

int main(int argc, char **argv) {
    int length = 0;
    if (argc < 2)
        return 0;
    while (argv[1][length] != 0)
        length++;
    assert(length < 12);
    return 0;
}
