extern void reach_error(void);

/* Nobody looks at more than the first byte of the first argument: no bound is needed. */
int main(int argc, char **argv) {
    if (argc > 1 && argv[1][0] == 'a' && argv[1][0] == 'b')
        reach_error();
    return 0;
}
