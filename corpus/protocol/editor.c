/* Sends the selection as often as it is asked for. */
#include "selection.h"

int main(void) {
    for (int i = 0; i < 3; i++) {
        int marked = next_event();
        own_selection(marked);
        for (int n = 1 + i; n > 0; n--) send_selection(marked);
        disown_selection(marked);
    }
    return 0;
}
