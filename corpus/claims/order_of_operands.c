extern void reach_error(void);

static int n;
static int first(void) { n = n * 2 + 1; return 0; }
static int second(void) { n = n * 3; return 0; }
int main(void) {
    int z = first() + second();
    if (n == 1 + z)
        reach_error();
    return 0;
}
