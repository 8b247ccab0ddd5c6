extern void reach_error(void);

int main(void) {
    unsigned char c = 255;
    if (c + 1 != 256)
        reach_error();
    c = c + 1;
    if (c)
        reach_error();
    return 0;
}
