// property: no-overflow
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 0 || b < 0 || a > 2147483000)
        return 0;
    if (b > 1000000)
        return 0;
    return a + b > 0;
}
