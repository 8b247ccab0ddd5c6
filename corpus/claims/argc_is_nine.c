extern void reach_error(void);

/* More arguments than are looked at: that there are nine can be said all the same. */
int main(int argc, char **argv) {
    if (argc == 9 && argv[1][0] == 'a')
        reach_error();
    return 0;
}
