// property: uninitialised
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int seen[6];
    for (int i = 0; i < 6; i++)
        seen[i] = 0;
    int n = 0;
    for (int i = 0; i < 6; i++)
        n += seen[i];
    return n;
}
