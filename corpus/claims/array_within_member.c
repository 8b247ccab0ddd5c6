extern void reach_error(void);

struct pair { int a[4]; int b; };
int nondet_int(void);
int main(void) {
    struct pair x = {{1, 2, 3, 4}, 5};
    int i = nondet_int();
    if (i < 0 || i > 3)
        return 0;
    x.a[i] = 9;
    return x.b == 9;
}
