/* __int128: multiplication, division, shifts, comparison and conversion to and from 64 bits. */
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(const char *name, i128 x)
{
    char buf[50];
    int p = 49, neg = x < 0;
    u128 u = neg ? -(u128)x : (u128)x;
    buf[p] = 0;
    do
        buf[--p] = '0' + (int)(u % 10);
    while (u /= 10);
    if (neg)
        buf[--p] = '-';
    printf("%s = %s\n", name, buf + p);
}

static unsigned long mulhi(unsigned long a, unsigned long b) { return (u128)a * b >> 64; }

int main(void)
{
    i128 f = 1, x;
    u128 y;
    int i;
    for (i = 1; i <= 33; i++)
        f *= i;
    show("33!", f);
    show("33!/10^9", f / 1000000000);
    show("33!%1000003", f % 1000003);
    show("-33!/7", -f / 7);
    show("-33!%65521", -f % 65521);
    x = (i128)1 << 126;
    show("2^126", x);
    show("-(2^126)>>100", -x >> 100);
    y = ~(u128)0;
    printf("%lx %lx\n", (unsigned long)(y >> 64), (unsigned long)(y >> 100));
    printf("%lx\n", mulhi(0xffffffffffffffffUL, 0xfffffffffffffff0UL));
    x = -1;
    printf("%d %d %d\n", x < 0, (u128)x > 5, x == -1L);
    printf("%ld %d\n", (long)(f >> 20), (int)f);
    printf("%zu %zu\n", sizeof(i128), sizeof(1L + x));
    x = 0x7fffffffffffffffL;
    x++;
    show("2^63", x);
    x = x * x - 1;
    show("2^126-1", x);
    printf("%.1f\n", (double)x);
    x = 1e20;
    show("1e20", x);
    x ^= x >> 3; x |= 1; x &= ~(i128)0xff;
    show("mixed", x);
    return 0;
}
