// property: shift
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int exponent = __VERIFIER_nondet_int();
    if (exponent > 20)
        return 0;
    if (exponent < 0)
        return 0;
    return 4096 >> exponent;
}
