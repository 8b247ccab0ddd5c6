/* Shifts: the left operand alone decides the type; right shift of negatives is arithmetic. */
#include <stdio.h>

int main(void)
{
    int i, neg = -1000;
    unsigned u = 0x80000001u;
    long l = -1L;
    unsigned long ul = 0x8000000000000001ul;
    unsigned char uc = 0x81;
    signed char sc = (signed char)0x81;
    unsigned long long one = 1;

    for (i = 0; i < 32; i += 5)
        printf("%d %u %u %d\n", neg >> i, u >> i, u << i, (int)((unsigned)neg << i));
    for (i = 0; i < 64; i += 9)
        printf("%ld %lu %lx %llx\n", l >> i, ul >> i, ul << i, one << i);
    printf("%d %d %d %d\n", uc << 4, uc >> 4, sc >> 4, (unsigned char)(uc << 4));
    printf("%ld %d\n", 1L << 31, 1 << 30);
    printf("%u\n", 1u << 31);
    printf("%lld\n", (long long)(1u << 31));
    printf("%lld\n", (long long)1 << 40);
    u <<= 3; printf("%x\n", u);
    u >>= 7L; printf("%x\n", u);
    uc <<= 1; printf("%x\n", uc);
    sc >>= 1; printf("%d\n", sc);
    neg >>= 31; printf("%d\n", neg);
    printf("%d\n", 1 << 2 + 3);
    printf("%d\n", (8 >> 1 >> 1) + (1 << 1 << 1));
    return 0;
}
