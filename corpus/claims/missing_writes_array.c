extern void reach_error(void);

void fill(char *text, int n);
int main(void) {
    char text[6] = "12345";
    fill(text, 6);
    if (text[4] == 'q')
        reach_error();
    return 0;
}
