// The length of an array parameter is computed when the function is called.
extern void reach_error(void);

static int sum(int n, int a[n++]) {
    if (n == 4)
        reach_error();
    return a[0];
}

int main(void) {
    int a[4] = {1, 2, 3, 4};
    return sum(3, a) - 1;
}
