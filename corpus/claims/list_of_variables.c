extern void reach_error(void);

int main(int argc, char **argv, char **variables) {
    if (variables[0] && variables[0][0] == 'Q')
        reach_error();
    return 0;
}
