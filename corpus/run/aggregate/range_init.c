/* GNU range designators [a ... b], in globals, locals, nested arrays and with overrides. */
#include <stdio.h>

enum cls { OTHER, DIGIT, ALPHA, SPACE };
static const unsigned char cls[256] = {
    ['0' ... '9'] = DIGIT, ['a' ... 'z'] = ALPHA, ['A' ... 'Z'] = ALPHA, ['_'] = ALPHA, [' '] = SPACE, ['\t' ... '\r'] = SPACE
};
static int grid[4][4] = { [0 ... 3] = { [1 ... 2] = 5 }, [2][2] = 7 };
struct pt { int x, y; };

int main(void)
{
    int a[12] = { [0 ... 11] = -1, [3 ... 5] = 3, 6, [10] = 10 };
    struct pt p[5] = { [1 ... 3] = { 1, .y = 2 }, [2].x = 9 };
    const char *s = "x1 = foo_2 + 33;";
    int i;
    for (i = 0; s[i]; i++)
        putchar("odas"[cls[(unsigned char)s[i]]]);
    putchar('\n');
    for (i = 0; i < 12; i++)
        printf("%d ", a[i]);
    printf("\n");
    for (i = 0; i < 16; i++)
        printf("%d ", grid[i / 4][i % 4]);
    printf("\n");
    for (i = 0; i < 5; i++)
        printf("(%d,%d)", p[i].x, p[i].y);
    printf("\n");
    return 0;
}
