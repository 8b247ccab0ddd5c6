extern void reach_error(void);

/* That `twice` is called makes no difference. */
static int total;
void unknown(void);
int twice(int x) { return 2 * x; }
int main(void) {
    total = twice(1);
    unknown();
    if (total != 2)
        reach_error();
    return 0;
}
