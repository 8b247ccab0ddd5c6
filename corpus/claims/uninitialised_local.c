extern void reach_error(void);

static int probe(int set) {
    int x;
    if (set)
        x = 1;
    return x;
}
int main(void) {
    if (probe(1) != 1)
        reach_error();
    return 0;
}
