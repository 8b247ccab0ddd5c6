extern _Bool __VERIFIER_nondet_bool(void);
extern int outside(int);

int main(void)
{
    int rounds = 0;
    while (__VERIFIER_nondet_bool())
        rounds++;
    if (outside(rounds) > 3)
        return 1;
    return 0;
}
