// property: valid-deref
extern int __VERIFIER_nondet_int(void);

struct range {
    int from;
    int to;
};

int main(void)
{
    int n = __VERIFIER_nondet_int();
    struct range *r = n > 5 ? &(struct range){ 1, n } : &(struct range){ 0, 9 };
    return r->to;
}
