extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    float f = __VERIFIER_nondet_int();
    if (f > 0 && f + 1 == f)
        reach_error();
    return 0;
}
