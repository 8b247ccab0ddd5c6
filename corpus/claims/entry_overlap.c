extern void reach_error(void);

void step(int *a, int *b) {
    a[1] = 1;
    b[0] = 2;
    if (a[1] != 1)
        reach_error();
}
