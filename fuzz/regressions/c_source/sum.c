extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += __VERIFIER_nondet_int();
    if (sum == 6)
        reach_error();
    return 0;
}
