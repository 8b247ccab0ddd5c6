extern void reach_error(void);

extern char **environ;
int main(void) {
    int n = 0;
    while (environ[n])
        n++;
    if (n == 9)
        reach_error();
    return 0;
}
