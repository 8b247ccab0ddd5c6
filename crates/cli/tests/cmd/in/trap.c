extern int __VERIFIER_nondet_int(void);
int main(void)
{
    if (__VERIFIER_nondet_int())
        __asm__("cpuid");
    return 0;
}
