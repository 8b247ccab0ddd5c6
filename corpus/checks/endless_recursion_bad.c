// property: stack
extern int __VERIFIER_nondet_int(void);

static int steps(unsigned n)
{
    if (n == 1)
        return 0;
    return 1 + steps(n % 2 ? n + 2 : n / 2);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 12)
        return 0;
    return steps(n);
}
