extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int lock;
static void take(void) { if (lock) reach_error(); lock = 1; }
static void give(void) { if (!lock) reach_error(); lock = 0; }
int main(void) {
    while (__VERIFIER_nondet_int()) {
        int must = __VERIFIER_nondet_int();
        if (must) take();
        if (must) give();
    }
    return 0;
}
