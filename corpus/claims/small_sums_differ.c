extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < -1000 || n > 1000)
        return 0;
    double f = n;
    if (f + 1 == f)
        reach_error();
    return 0;
}
