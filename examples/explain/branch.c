/* Figure 10: as loop.c, with a way out before f. */
#include <assert.h>
#include <stdlib.h>

void g(int x) {
    if (x > 100)
        exit(0);
}

void f(void) {
    assert(0);
}

int main(int argc, char *argv[]) {
    for (int i = 0; i < argc; i++)
        g(i);
    if (argc > 0 && argv[0][0] == '1')
        exit(0);
    f();
}
