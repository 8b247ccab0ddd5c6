// property: shift
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int bits = __VERIFIER_nondet_int();
    if (bits < 0 || bits >= 32)
        return 0;
    unsigned mask = 1u << bits;
    return mask != 0;
}
