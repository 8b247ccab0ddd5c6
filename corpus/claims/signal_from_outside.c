#include <signal.h>
extern void reach_error(void);
static volatile sig_atomic_t came;

static void handler(int number) {
    came = number;
}

int main(void) {
    signal(SIGINT, handler);
    for (int i = 0; i < 100; i++)
        if (came)
            reach_error();
    return 0;
}
