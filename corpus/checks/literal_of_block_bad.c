// property: valid-deref
extern int __VERIFIER_nondet_int(void);

struct range {
    int from;
    int to;
};

int main(void)
{
    int n = __VERIFIER_nondet_int();
    struct range *r = &(struct range){ 0, 9 };
    if (n > 5) {
        r = &(struct range){ 1, n };
    }
    return r->to;
}
