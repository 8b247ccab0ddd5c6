/* Relational and equality operators across signs and widths, and their int results. */
#include <limits.h>
#include <stdio.h>

#define CMP(a, b) printf("%-12s %-12s %d%d%d%d%d%d\n", #a, #b, (a) < (b), (a) <= (b), (a) > (b), (a) >= (b), (a) == (b), (a) != (b))

int main(void)
{
    int m1 = -1, zero = 0;
    unsigned u1 = 1, umax = UINT_MAX;
    long lm1 = -1;
    unsigned long ulmax = ULONG_MAX;
    short sm1 = -1;
    unsigned short us = 65535;
    double half = 0.5, nan = 0.0;
    nan = nan / zero;
    CMP(m1, zero);
    CMP(m1, u1);
    CMP(m1, umax);
    CMP(lm1, u1);
    CMP(lm1, umax);
    CMP(lm1, ulmax);
    CMP(sm1, us);
    CMP(sm1, umax);
    CMP((short)us, sm1);
    CMP(us, 65535u);
    CMP(half, zero);
    CMP(half, u1);
    CMP(nan, nan);
    CMP(INT_MIN, INT_MAX);
    CMP(INT_MIN, 0u);
    CMP(LONG_MIN, INT_MIN);
    CMP('a', 97L);
    printf("%d %d\n", 3 > 2 > 1, 1 < 2 < 3);
    printf("%d %d\n", 2 == 2 == 1, (5 & 4) == 4);
    printf("%d\n", 5 & 4 == 4);
    printf("%zu\n", sizeof(half < zero));
    printf("%d\n", (u1 > m1) + (zero >= m1) * 2 + (-1L < u1) * 4);
    printf("%d\n", sizeof(int) > -1);
    return 0;
}
