extern void reach_error(void);

static int a, b;
int main(void) {
    int *p = &a, *q = &b;
    if (p < q)
        return 0;
    reach_error();
}
