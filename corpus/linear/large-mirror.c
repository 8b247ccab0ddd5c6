/* A row of pixels is written from right to left. The place of each is counted from the end. */
extern void __VERIFIER_error(void) __attribute__((noreturn));
enum { WIDTH = 4096 };

static void check(int condition) {
    if (!condition)
        __VERIFIER_error();
}

int main(void) {
    int row[WIDTH];
    int mirrored[WIDTH];
    int left = 0;
    while (left < WIDTH) {
        mirrored[WIDTH - 1 - left] = row[left];
        left++;
    }
    for (int x = 0; x < WIDTH; x++)
        check(mirrored[WIDTH - 1 - x] == row[x]);
    return 0;
}
