extern void reach_error(void);
extern int nondet_int(void);
int table[3];
int main(void)
{
    int n = nondet_int();
    if (n < 0 || n > 4)
        return 0;
    table[n] = 1;
    if (n == 4)
        reach_error();
    return 0;
}
