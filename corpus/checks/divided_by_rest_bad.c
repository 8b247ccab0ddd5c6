// property: division
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    unsigned slots = n % 16;
    /* any number of slots */
    return 100 / slots;
}
