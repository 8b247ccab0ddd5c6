// A backward `goto` in the same block comes to a declaration again: it is the same object.
extern void reach_error(void);

int main(void) {
    int *old = 0;
    int n = 0;
again:;
    int x;
    if (old != 0 && old == &x)
        reach_error();
    old = &x;
    if (n++ < 2)
        goto again;
    return 0;
}
