extern void reach_error(void);
int first, second;

/* Where a linker puts two objects is its own affair. */
int main(void) {
    long distance = (char *)&first - (char *)&second;
    if (distance > 0)
        reach_error();
    return 0;
}
