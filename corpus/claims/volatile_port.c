extern void reach_error(void);

volatile int port;
int main(void) {
    int first = port;
    int second = port;
    if (first != second)
        reach_error();
    return 0;
}
