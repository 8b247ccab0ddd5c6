/* Figures 2 and 6 of "Learning the Language of Software Errors": every call of f fails, after any
   number of calls of g. */
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
    f();
}
