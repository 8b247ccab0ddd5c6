/* Bit-fields: truncation on store, sign extension on load, sizes, initializers. */
#include <stdio.h>

struct date { unsigned day : 5, month : 4; int year : 15; unsigned : 4; signed char zone : 6; };
struct flags { unsigned a : 1, b : 1; int c : 1; _Bool d : 1; unsigned e : 3; };

int main(void)
{
    struct date d = { 31, 12, -1999, -12 };
    struct flags f = { 1, 2, 1, 6, 13 };
    int i;
    printf("%u %u %d %d %zu\n", d.day, d.month, d.year, d.zone, sizeof d);
    printf("%d %d %d %d %d %zu\n", f.a, f.b, f.c, f.d, f.e, sizeof f);
    for (i = 0; i < 40; i += 9) {
        d.day = i; d.year = i * 1000; d.zone = i;
        printf("%u %d %d\n", d.day, d.year, d.zone);
    }
    f.e = -1; f.c = 0; f.d = 0.5;
    printf("%d %d %d\n", f.e, f.c, f.d);
    f.c = -1;
    printf("%d\n", f.c ? 1 : 0);
    return d.day;
}
