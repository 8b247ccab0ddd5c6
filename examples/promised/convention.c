/* Right as long as there is memory. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *cell = malloc(sizeof *cell);
    assert(cell != 0);
    free(cell);
    return 0;
}
