// A floating-point number that fits into an int and not into the narrow integer that it becomes: compilers disagree.
extern void reach_error(void);

int main(void) {
    float d = 300;
    unsigned char i = d;
    if (i != 44 && i != 255)
        reach_error();
    return 0;
}
