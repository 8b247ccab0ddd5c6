extern void reach_error(void);

/* Beyond the arguments that are looked at, unless one says so. */
int main(int argc, char **argv) {
    if (argc > 5 && argv[5][0] == 'z')
        reach_error();
    return 0;
}
