/* Takes the selection whenever something is marked. */
#include "selection.h"

int main(void) {
    for (int i = 0; i < 4; i++) {
        int marked = next_event();
        own_selection(marked);
        send_selection(marked);
        disown_selection(marked);
    }
    return 0;
}
