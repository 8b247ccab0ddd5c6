extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int lock;
static void take(void) { if (lock) reach_error(); lock = 1; }
static void give(void) { if (!lock) reach_error(); lock = 0; }
int main(void) {
    int tries = 0;
    while (__VERIFIER_nondet_int()) {
        int must = __VERIFIER_nondet_int();
        if (must) { take(); tries++; }
        if (must && tries != 40) give();
    }
    return 0;
}
