extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    int votes = 0;
    for (int i = 0; i < 3; i++)
        if (__VERIFIER_nondet_bool())
            votes++;
    if (votes == 2)
        reach_error();
    return votes;
}
