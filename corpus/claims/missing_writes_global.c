extern void reach_error(void);

int total;
void unknown(void);
int main(void) {
    total = 1;
    unknown();
    if (total == 5)
        reach_error();
    return 0;
}
