extern void reach_error(void);

static int total;
void unknown(void);
void set(int value) { total = value; }
int main(void) {
    set(1);
    unknown();
    if (total == 5)
        reach_error();
    return 0;
}
