// What is proved of `main` says nothing of a function that runs before it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[1000];

__attribute__((constructor)) void first(void) {
    if (__VERIFIER_nondet_int() == 123456)
        reach_error();
}

int main(void) {
    int i;
    for (i = 0; i < 1000; i++)
        a[i] = 0;
    for (i = 0; i < 1000; i++)
        if (a[i] != 0)
            reach_error();
    return 0;
}
