// property: shift
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned long long n = (unsigned)__VERIFIER_nondet_int();
    unsigned flags = 0xf0u;
    return n < 32 && (flags >> n & 1);
}
