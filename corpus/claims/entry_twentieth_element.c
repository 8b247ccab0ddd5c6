extern void reach_error(void);

void step(int *a) {
    if (a[20] == 3)
        reach_error();
}
