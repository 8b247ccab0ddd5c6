extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct job { char kind; int *at; };
int main(void) {
    int x = 1;
    struct job one = { 1, &x }, two = { 2, 0 };
    int c = __VERIFIER_nondet_int();
    two.at = &x;
    struct job chosen = c ? one : two;
    *chosen.at = 5;
    if (x == 5 && __VERIFIER_nondet_int() == 3)
        reach_error();
    return 0;
}
