// A floating-point number that does not fit into an integer: compilers fold it to another value than the
// processor gives.
extern void reach_error(void);

int main(void) {
    int x = (int)2147483648.0f;
    if (x > 0)
        reach_error();
    return 0;
}
