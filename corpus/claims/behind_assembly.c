extern void reach_error(void);

int main(void) {
    int x = 1;
    __asm__("nop" : "+r"(x));
    if (x != 2)
        reach_error();
    return 0;
}
