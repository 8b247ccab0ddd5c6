extern void reach_error(void);

void unknown(int *p);
int main(void) {
    int x = 1;
    unknown(&x);
    if (x == 77)
        reach_error();
    return 0;
}
