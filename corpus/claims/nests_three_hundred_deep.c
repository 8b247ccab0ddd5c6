extern void reach_error(void);

static void down(int n) {
    if (n == 300)
        reach_error();
    if (n < 1000)
        down(n + 1);
}
int main(void) {
    down(0);
    return 0;
}
