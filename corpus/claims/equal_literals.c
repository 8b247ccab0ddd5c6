extern void reach_error(void);

const char *first = "name";
const char *second = "name";

int main(void) {
    if (first != second)
        reach_error();
    return 0;
}
