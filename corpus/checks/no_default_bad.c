// property: uninitialised
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int weight;
    switch (__VERIFIER_nondet_int()) {
    case 0: weight = 10; break;
    case 1: weight = 20; break;
    /* and all others? */
    }
    return weight;
}
