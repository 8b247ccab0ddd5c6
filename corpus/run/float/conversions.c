/* Conversions between floats and all integer types: truncation toward zero, large values, rounding. */
#include <stdio.h>

int main(void)
{
    double d[] = { 0.99, -0.99, 1.5, -1.5, 100.7, -100.7, 127.9 };
    unsigned long ul = 0xfffffffffffff800ul, odd = (1ul << 53) + 1;
    long l = -9007199254740993L;
    int i;
    for (i = 0; i < 7; i++)
        printf("%d %d %d %ld %d\n", (int)d[i], (signed char)d[i], (short)d[i], (long)d[i], (_Bool)d[i]);
    printf("%u %lu %llu\n", (unsigned)4294967295.9, (unsigned long)1.8446744073709550e19, (unsigned long long)3e9);
    printf("%ld %d\n", (long)-9.2233720368547758e18, (int)-2147483648.9);
    printf("%.1f %.1f %.1f\n", (double)ul, (double)odd, (double)l);
    printf("%.1f %.1f\n", (float)16777217, (double)(float)123456789);
    printf("%g %g\n", (double)(unsigned char)200, (double)(signed char)-100);
    printf("%d %d\n", (int)(float)0.9999999999, (int)0.9999999999);
    { int x = 3.99; unsigned char c = 65.9; long y = 1e15; float f = 1e15; x *= 1.5; c += 0.9; printf("%d %d %ld %.1f\n", x, c, y, f); }
    { double q = 7 / 2, r = 7 / 2.0, s = (double)7 / 2, t = 7.f / 2; printf("%g %g %g %g\n", q, r, s, t); }
    printf("%d %d\n", 3 == 3.0, 0x7fffffff == (float)0x7fffffff);
    printf("%d %d\n", -1 < 0.5, 1u > -0.5);
    printf("%.1f\n", 4294967295u + 1.0);
    printf("%g\n", (0 ? 1 : 2.5) + (1 ? 'a' : 0.0));
    return (int)3.7 + (int)-0.9;
}
