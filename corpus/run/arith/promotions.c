/* Integer promotions: char, short, _Bool and narrow bit-fields become int before arithmetic. */
#include <stdio.h>

struct narrow { unsigned u5 : 5; unsigned u31 : 31; unsigned u32 : 32; };

int main(void)
{
    unsigned char uc = 200, ud = 100;
    signed char sc = -100, sd = -100;
    unsigned short us = 65535, ut = 1;
    short ss = -32768;
    _Bool b = 1;
    struct narrow n = { 31, 0x7fffffff, 0xffffffffu };

    printf("%d %d\n", uc + ud, (unsigned char)(uc + ud));
    printf("%d %d\n", sc + sd, (signed char)(sc + sd));
    printf("%d %d\n", us + ut, (unsigned short)(us + ut));
    printf("%d %d\n", -ss, (short)-ss);
    printf("%d %d %d\n", ~uc, ~b, !uc);
    printf("%d\n", -(unsigned char)1 < 0);
    printf("%d\n", -(unsigned short)1 < 0);
    printf("%d\n", -1u > 0);
    printf("%d %d %d\n", uc * uc, us * 2, sc * sd);
    printf("sizes %zu %zu %zu %zu\n", sizeof(uc + ud), sizeof(+ss), sizeof(b + b), sizeof(-sc));
    printf("unpromoted sizes %zu %zu %zu\n", sizeof(uc), sizeof(uc++), sizeof((char)1));
    printf("bit-fields %d %d %d\n", n.u5 - 32 < 0, n.u31 - 0x7fffffff - 1 < 0, n.u32 - 1 - 0xffffffffu < 0);
    uc += 100;
    sc -= 100;
    us++;
    ss--;
    printf("%d %d %d %d\n", uc, sc, us, ss);
    uc = 255;
    printf("%d %d\n", uc >> 1, (unsigned char)~uc >> 1);
    uc = 0;
    printf("%d %d\n", (unsigned char)~uc, (unsigned char)~uc == 255);
    printf("%d\n", ~uc == 255);
    return 0;
}
