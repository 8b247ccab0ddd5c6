extern void reach_error(void);

/* Nobody outside this file can name it, and its address is never given away. */
static int total;
void unknown(void);
int main(void) {
    total = 1;
    unknown();
    if (total != 1)
        reach_error();
    return 0;
}
