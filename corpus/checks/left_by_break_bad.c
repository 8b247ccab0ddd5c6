// property: valid-deref
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int none = 0;
    int *largest = &none;
    for (int i = 0; i < 3; i++) {
        int value = __VERIFIER_nondet_int();
        if (value > 5) {
            largest = &value;
            break;
        }
    }
    return *largest == 0;
}
