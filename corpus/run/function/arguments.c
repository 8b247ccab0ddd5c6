/* Many arguments of mixed types, conversions to parameter types, order-independent evaluation. */
#include <stdio.h>

static double many(char a, short b, int c, long d, float e, double f, unsigned char g, long long h, int i, double j, char k, float l)
{
    printf("%d %d %d %ld %g %g %d %lld %d %g %d %g\n", a, b, c, d, e, f, g, h, i, j, k, l);
    return a + b + c + d + e + f + g + h + i + j + k + l;
}
static int narrow(unsigned char c, signed char s, _Bool b) { return c * 1000 + s * 10 + b; }
static float ret_float(double d) { return d; }
static char ret_char(int i) { return i; }
static unsigned short ret_us(long l) { return l; }
static _Bool ret_bool(double d) { return d; }

int main(void)
{
    printf("%g\n", many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    printf("%g\n", many(300, 70000, 5000000000L, -1, 1e40 > 1 ? 0.1 : 0, 'a', 257, 2.9, -2.9, 3, 128, 16777217));
    printf("%d\n", narrow(513, 255, 2));
    printf("%.10g %d %d %d\n", ret_float(0.1), ret_char(200), ret_us(-2), ret_bool(0.001));
    printf("%d\n", ret_float(16777217) == 16777216);
    return ret_char(0x105);
}
