extern void reach_error(void);

int unknown(void);
int main(void) {
    if (unknown() == 12)
        reach_error();
    return 0;
}
