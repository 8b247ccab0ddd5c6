extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* The assertion holds, and then a run may write beyond the array: nobody can say what it does after that. */
int main(void) {
    int a[2] = {0, 0};
    int n = __VERIFIER_nondet_int(), x = 0;
    if (n > 3)
        x = 2;
    if (x == 1)
        reach_error();
    a[n] = 1;
    return a[0];
}
