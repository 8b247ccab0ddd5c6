// explain:
/* The rear window's defroster: a state machine that may heat with the engine off. */
#include <assert.h>

extern int nondet_int(void);

enum state { OFF, HEATING, COOLING };

enum state state = OFF;
int engine;
int timer;

void start_engine(void) {
    engine = 1;
}

void stop_engine(void) {
    engine = 0;
    /* The bug: while it cools down, nobody looks at the engine. */
    if (state == HEATING)
        state = OFF;
}

void press_button(void) {
    switch (state) {
    case OFF:
        if (engine) {
            state = HEATING;
            timer = 1;
        }
        break;
    case HEATING:
        state = OFF;
        break;
    case COOLING:
        state = HEATING;
        timer = 1;
        break;
    }
}

void tick(void) {
    if (state == OFF || --timer > 0)
        return;
    state = state == HEATING ? COOLING : OFF;
    timer = 2;
}

void check(void) {
    assert(state != HEATING || engine);
}

int main(void) {
    for (;;) {
        switch (nondet_int()) {
        case 0:
            start_engine();
            break;
        case 1:
            stop_engine();
            break;
        case 2:
            press_button();
            break;
        case 3:
            tick();
            break;
        default:
            return 0;
        }
        check();
    }
}
