// The second index of an array of arrays is too large: the object goes on there, with the next row, and C does not allow it.
extern int nondet_int(void);

static int table[2][2];

static int first_of_second(unsigned i) {
    table[1][0] = 1;
    if (i < 4)
        table[0][i] = 7;
    return table[1][0];
}

int main(void) { return first_of_second(nondet_int()) != 1; }
