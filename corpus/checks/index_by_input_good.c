// property: valid-deref
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int squares[8];
    for (int i = 0; i < 8; i++)
        squares[i] = i * i;
    int at = __VERIFIER_nondet_int();
    if (at < 0 || at >= 8)
        return 0;
    return squares[at];
}
