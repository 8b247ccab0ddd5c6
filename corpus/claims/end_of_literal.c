// The end of one string literal may be where another one begins.
extern void reach_error(void);

int main(void) {
    const char *first = "x", *second = "y";
    if (first + 2 == second)
        reach_error();
    return 0;
}
