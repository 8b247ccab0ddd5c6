extern void reach_error(void);

static int total;

int *where(void) { return &total; }

void step(int *a) {
    total = 1;
    *a = 2;
    if (total != 1)
        reach_error();
}
