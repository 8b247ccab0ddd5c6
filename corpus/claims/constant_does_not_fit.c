// A constant that does not fit into a small integer: compilers fold it to another value than the processor gives.
extern void reach_error(void);

int main(void) {
    signed char x = (signed char)200.0;
    if (x > 0)
        reach_error();
    return 0;
}
