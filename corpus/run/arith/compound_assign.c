/* Compound assignment computes in the common type and converts back to the left operand's. */
#include <stdio.h>

int main(void)
{
    unsigned char uc = 200;
    signed char sc = 100;
    short s = 1000;
    int i = 10;
    unsigned u = 5;
    long l = 1;
    float f = 1.5f;
    double d = 10;

    uc += 100; printf("%d\n", uc);
    uc *= 3; printf("%d\n", uc);
    uc -= 200; printf("%d\n", uc);
    uc /= 2.5; printf("%d\n", uc);
    sc += 20; printf("%d\n", sc);
    sc += 20; printf("%d\n", sc);
    s *= 100; printf("%d\n", s);
    s /= -7; printf("%d\n", s);
    i *= 1.55; printf("%d\n", i);
    i -= 3u; printf("%d\n", i);
    i /= u; printf("%d\n", i);
    i -= 10; i /= 2; printf("%d\n", i);
    u -= 10; printf("%u\n", u);
    u >>= 28; printf("%u\n", u);
    l <<= 40; printf("%ld\n", l);
    l |= i; printf("%ld\n", l);
    l &= 0xffu; printf("%ld\n", l);
    l ^= -1; printf("%ld\n", l);
    f += 1; f *= 2; printf("%g\n", f);
    f -= 0.125; printf("%g\n", f);
    d /= 4; printf("%g\n", d);
    d += f; printf("%g\n", d);
    printf("%d %d\n", (i = 7, i += 3), (s = 5) * 2);
    printf("%d\n", uc = 511);
    i = 1;
    i += (s += 4, s *= 2);
    printf("%d %d\n", i, s);
    return uc;
}
