// property: uninitialised
extern int __VERIFIER_nondet_int(void);

static int parse(int text, int *number)
{
    if (text < 0)
        return -1;
    *number = text % 100;
    return 0;
}

int main(void)
{
    int number;
    parse(__VERIFIER_nondet_int(), &number);
    return number;
}
