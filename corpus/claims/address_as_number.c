extern void reach_error(void);
int first, second;

/* Where a linker puts two objects is its own affair. */
int main(void) {
    if ((unsigned long)&first > (unsigned long)&second)
        reach_error();
    return 0;
}
