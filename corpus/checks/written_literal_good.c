// property: valid-deref
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char name[] = "abc";
    if (__VERIFIER_nondet_int() == 3)
        name[0] = 'b';
    return name[0];
}
