extern int __VERIFIER_nondet_int(void);

/* An array of a size that is an input, read and written before its first element. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 8)
        return 0;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++) {
        int r = i + __VERIFIER_nondet_int() % (n - i);
        int t = a[i];
        a[i] = a[r];
        a[r] = t;
    }
    return 0;
}
