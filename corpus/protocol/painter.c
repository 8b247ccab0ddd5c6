/* Asks for the time of the event where it needs it. */
#include "selection.h"

static void take(void) {
    int time = event_time();
    own_selection(time);
    send_selection(time);
    disown_selection(time);
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        next_event();
        take();
    }
    return 0;
}
