extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int by = __VERIFIER_nondet_int() & 63;
    unsigned one = 1;
    if (by >= 32 && (one << by) == 0)
        reach_error();
    return 0;
}
