// Both pointers are one, which `restrict` rules out: what the function does then is undefined, and compilers differ.
extern void reach_error(void);

static int both(int *restrict a, int *restrict b) {
    *a = 1;
    *b = 2;
    return *a;
}

int main(void) {
    int x;
    if (both(&x, &x) > 2)
        reach_error();
    return 0;
}
