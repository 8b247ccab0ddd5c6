/* Takes the selection at the start, before there was any event: harmless, since nobody can have it yet. */
#include "selection.h"

int main(void) {
    own_selection(1);
    return 0;
}
