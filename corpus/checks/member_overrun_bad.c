// property: valid-deref
extern int __VERIFIER_nondet_int(void);

struct record { int marks[4]; int total; };

int main(void)
{
    struct record r = { { 0 }, 0 };
    for (int i = 0; i <= 4; i++)
        r.marks[i] = 1;
    return r.total;
}
