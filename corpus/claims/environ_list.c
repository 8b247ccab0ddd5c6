extern void reach_error(void);

extern char **environ;
int main(void) {
    if (environ[0] && environ[0][0] == 'Q')
        reach_error();
    return 0;
}
