/* Shows the time and may be copied once. */
#include "selection.h"

int main(void) {
    int marked = next_event();
    own_selection(marked);
    send_selection(marked);
    disown_selection(marked);
    return 0;
}
