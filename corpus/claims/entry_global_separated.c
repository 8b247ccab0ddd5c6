extern void reach_error(void);

int table[4];

void step(int *a) {
    table[2] = 1;
    *a = 2;
    if (table[2] != 1)
        reach_error();
}
