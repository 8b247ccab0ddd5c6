/* GNU case ranges with negatives, chars, single values and large bounds. */
#include <limits.h>
#include <stdio.h>

static char grade(int s)
{
    switch (s) {
    case INT_MIN ... -1: return '!';
    case 0 ... 49: return 'F';
    case 50 ... 59: return 'D';
    case 60: case 61 ... 74: return 'C';
    case 75 ... 89: return 'B';
    case 90 ... 100: return 'A';
    default: return '?';
    }
}
static int kind(unsigned char c)
{
    switch (c) {
    case '0' ... '9': return 1;
    case 'a' ... 'f': case 'A' ... 'F': return 2;
    case 128 ... 255: return 3;
    }
    return 0;
}
static int big(unsigned long x)
{
    switch (x) {
    case 0 ... 0xffffffff: return 32;
    case 0x100000000 ... 0xffffffffffffffff: return 64;
    }
    return 0;
}

int main(void)
{
    int t[] = { -5, 0, 49, 50, 60, 61, 75, 90, 100, 101, INT_MAX, INT_MIN }, i;
    const char *s = "3fG\200\377Z";
    for (i = 0; i < 12; i++) putchar(grade(t[i]));
    putchar('\n');
    for (; *s; s++) printf("%d", kind(*s));
    printf("\n%d %d %d %d\n", big(0), big(0xffffffff), big(1UL << 32), big(-1L));
    return 0;
}
