// property: valid-deref
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int fallback = 7;
    int *chosen = &fallback;
    if (__VERIFIER_nondet_int() > 5) {
        int special = 1;
        chosen = &special;
    }
    return *chosen;
}
