/* Calendar computations: leap years, day of week, day number, difference, Easter, adding days. */
#include <stdio.h>

struct date { int y, m, d; };
static int leap(int y) { return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0); }
static int mdays(int y, int m) { static const char n[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 }; return n[m - 1] + (m == 2 && leap(y)); }
static long serial(struct date a) { long y = a.y - (a.m < 3), m = (a.m + 9) % 12; return 365 * y + y / 4 - y / 100 + y / 400 + (m * 306 + 5) / 10 + a.d - 1; }
static int weekday(struct date a) { return (int)((serial(a) + 3) % 7); }
static struct date add(struct date a, int n) { while (n-- > 0) if (++a.d > mdays(a.y, a.m)) { a.d = 1; if (++a.m > 12) { a.m = 1; a.y++; } } return a; }
static struct date easter(int y)
{
    int a = y % 19, b = y / 100, c = y % 100, d = b / 4, e = b % 4, f = (b + 8) / 25, g = (b - f + 1) / 3, h = (19 * a + b - d - g + 15) % 30, i = c / 4, k = c % 4;
    int l = (32 + 2 * e + 2 * i - h - k) % 7, m = (a + 11 * h + 22 * l) / 451, n = h + l - 7 * m + 114;
    return (struct date){ y, n / 31, n % 31 + 1 };
}

int main(void)
{
    static const char *const wd[] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
    struct date t[] = { { 1970, 1, 1 }, { 2000, 2, 29 }, { 1999, 12, 31 }, { 2024, 2, 28 }, { 1900, 3, 1 } }, d;
    int i;
    for (i = 0; i < 5; i++) { d = add(t[i], 366); printf("%04d-%02d-%02d %s +366 = %04d-%02d-%02d %ld\n", t[i].y, t[i].m, t[i].d, wd[weekday(t[i])], d.y, d.m, d.d, serial(d) - serial(t[i])); }
    for (i = 2020; i < 2027; i++) { d = easter(i); printf("%d-%d %s ", d.m, d.d, wd[weekday(d)]); }
    printf("\n%d %d %d %d\n", leap(1900), leap(2000), leap(2024), leap(2023));
    return 0;
}
