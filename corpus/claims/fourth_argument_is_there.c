extern void reach_error(void);

/* Its bytes are not looked at, but there is a string. */
int main(int argc, char **argv) {
    if (argc > 3 && argv[3] == 0)
        reach_error();
    return 0;
}
