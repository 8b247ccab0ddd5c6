/* Figure 8: events are marked in the source. */
#include "../../include/idiolect.h"

extern int nondet_int(void);

void F(void) {
    Learn(3);
}

void G(void) {
    Learn(6);
}

void H(void) {
    Learn(2);
}

int main(void) {
    int input = nondet_int();
    if (input >= 10)
        F();
    if (input >= 20) {
        F();
        G();
    }
    H();
    Learn_Assert(input < 20);
    return 0;
}
