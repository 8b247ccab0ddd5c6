extern void reach_error(void);

int main(void) {
    for (int i = 0; i < 200; i++)
        if (i == 150)
            reach_error();
    return 0;
}
