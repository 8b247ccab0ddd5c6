extern void reach_error(void);

static int total;
static void set(int value) { total = value; }
void each(void (*f)(int));
int main(void) {
    each(set);
    if (total == 5)
        reach_error();
    return 0;
}
