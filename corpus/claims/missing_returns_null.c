extern void reach_error(void);

int *unknown(void);
int main(void) {
    if (unknown() == 0)
        reach_error();
    return 0;
}
