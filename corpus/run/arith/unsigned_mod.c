/* Unsigned arithmetic modulo 2^n in each width, subtraction below zero and products. */
#include <stdio.h>

int main(void)
{
    unsigned char c = 7;
    unsigned short s = 7;
    unsigned u = 7;
    unsigned long l = 7;
    int i;
    for (i = 0; i < 40; i++) {
        c = c * 5 + 3;
        s = s * 25173u + 13849u;
        u = u * 1664525u + 1013904223u;
        l = l * 6364136223846793005ul + 1442695040888963407ul;
        if (i % 8 == 7)
            printf("%u %u %u %lu\n", c, s, u, l);
    }
    printf("%u %lu\n", 3u - 5u, 3ul - 5u);
    printf("%lu\n", 3u - 5u + 0ul);
    printf("%lu\n", 0ul + 3u - 5u);
    printf("%u\n", 0x80000000u * 2);
    printf("%u\n", 0xffffu * 0xffffu);
    printf("%u %u\n", -5u, -5u / 3);
    printf("%d\n", (int)(10u - 20u) / 3);
    printf("%u\n", (10u - 20u) / 3);
    printf("%ld\n", (long)(10u - 20u));
    printf("%ld\n", (long)(int)(10u - 20u));
    return c;
}
