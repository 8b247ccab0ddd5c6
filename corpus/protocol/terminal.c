/* Keeps the selection to the end: nothing is given up. */
#include "selection.h"

int main(void) {
    for (int i = 0; i < 3; i++) {
        int marked = next_event();
        own_selection(marked);
        send_selection(marked);
    }
    return 0;
}
