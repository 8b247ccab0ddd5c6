extern void reach_error(void);

void step(int *restrict a, int *restrict b) {
    *a = 1;
    *b = 2;
    if (*a != 1)
        reach_error();
}
