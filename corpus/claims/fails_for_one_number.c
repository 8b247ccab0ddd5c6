extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0;
    for (int i = 0; i < 3; i++)
        sum += n;
    if (sum == 3 * 999 && n > 0 && n < 5000)
        reach_error();
    return 0;
}
