// property: valid-deref
extern int __VERIFIER_nondet_int(void);

static int kept = 1;

static int *choose(int n)
{
    int own = 2;
    kept = n;
    return n > 5 ? &own : &kept;
}

int main(void)
{
    int *chosen = choose(__VERIFIER_nondet_int());
    return *chosen;
}
