extern void reach_error(void);

int a[2], b[2];

int main(void) {
    if (a + 2 == b || b + 2 == a)
        reach_error();
    return 0;
}
