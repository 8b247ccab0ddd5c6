/* Twenty statements and decisions on three inputs: how many runs of this fit into a second? */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int c = __VERIFIER_nondet_int();
    int least = a, most = a, sum;
    if (b < least)
        least = b;
    if (c < least)
        least = c;
    if (b > most)
        most = b;
    if (c > most)
        most = c;
    sum = (a & 0xff) + (b & 0xff);
    sum = sum + (c & 0xff);
    sum = sum * 3;
    if (sum > 100)
        sum = sum - 100;
    a = a ^ sum;
    b = b ^ a;
    c = c ^ b;
    return (a ^ b ^ c ^ least ^ most) & 1;
}
