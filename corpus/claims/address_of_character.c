extern void reach_error(void);

int main(void) {
    char two[2];
    two[0] = 0;
    if ((unsigned long)(two + 1) % 16 != 1)
        reach_error();
    return 0;
}
