extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* With arithmetic that wraps around this holds; a compiler may take overflow for impossible. */
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 0 && x + x == -2 && x != 2147483647)
        reach_error();
    return 0;
}
