extern void reach_error(void);

void keep(int *p);
void use(void);
int main(void) {
    int x = 1;
    keep(&x);
    x = 2;
    use();
    if (x != 2)
        reach_error();
    return 0;
}
