/* Bit operators, precedence among them, and common bit tricks. */
#include <stdio.h>

static unsigned reverse(unsigned x)
{
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    x = x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
    return x;
}

static int count(unsigned long x)
{
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

static unsigned rotl(unsigned x, int k) { return x << (k & 31) | x >> (-k & 31); }

static unsigned gray(unsigned x) { return x ^ x >> 1; }

int main(void)
{
    unsigned a = 0xf0f0a5c3u, b = 0x12345678u;
    int m = -12, n = 10, i;
    printf("%x %x %x %x\n", a & b, a | b, a ^ b, ~a);
    printf("%d %d %d %d\n", m & n, m | n, m ^ n, ~m);
    printf("%d\n", 1 | 2 ^ 3 & 4);
    printf("%x %x\n", reverse(b), reverse(1));
    printf("%d %d %d\n", count(a), count(~0ul), count(0));
    for (i = 0; i <= 32; i += 4)
        printf("%x ", rotl(b, i));
    printf("\n");
    for (i = 0; i < 10; i++)
        printf("%x ", gray(i));
    printf("\n");
    printf("%x %x\n", a & -a, b & -b);
    printf("%d %d\n", (m ^ m >> 31) - (m >> 31), m & 1);
    a ^= b; b ^= a; a ^= b;
    printf("%x %x\n", a, b);
    printf("%lx\n", ~0ul & ~0u);
    printf("%lx\n", ~0ul & ~0);
    printf("%lx\n", 0xffff0000ff00ul & ~0xff00u);
    printf("%lx\n", 0xffff0000ff00ul & ~0xff00);
    return 0;
}
