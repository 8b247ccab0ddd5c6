extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* Nobody calls it, so no trace leads to the error; runs fault all the same. */
void check(int condition) {
    if (!condition)
        reach_error();
}

int main(void) {
    int a[2] = {0, 0};
    int n = __VERIFIER_nondet_int();
    a[n] = 1;
    return a[0];
}
