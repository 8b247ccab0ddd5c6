#include <signal.h>

extern void reach_error(void);

static int seen;
static void handler(int number) { seen = number; }
int main(void) {
    signal(SIGINT, handler);
    if (seen)
        reach_error();
    return 0;
}
