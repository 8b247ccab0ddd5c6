// property: division
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    unsigned slots = n % 16;
    if (slots == 0)
        return 0;
    return 100 / slots;
}
