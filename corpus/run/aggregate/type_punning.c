/* Type punning through unions, memcpy and char pointers: representations of floats and integers. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t bits(float f) { union { float f; uint32_t u; } x = { f }; return x.u; }
static uint64_t dbits(double d) { uint64_t u; memcpy(&u, &d, sizeof u); return u; }
static float fast_half(float f) { union { float f; uint32_t u; } x = { f }; x.u -= 1u << 23; return x.f; }

int main(void)
{
    float f[] = { 0.0f, -0.0f, 1.0f, 0.1f, -123.456f, 3.4e38f };
    uint32_t w = 0xcafebabe;
    unsigned char *p = (unsigned char *)&w;
    uint16_t h[2];
    double d;
    long l = 0x400921fb54442d18;
    int i;
    for (i = 0; i < 6; i++)
        printf("%08x %016lx\n", bits(f[i]), dbits(f[i]));
    printf("%g %g\n", fast_half(10.0f), fast_half(-0.3f));
    for (i = 0; i < 4; i++)
        printf("%02x ", p[i]);
    p[0] = 1; p[3] -= 1;
    printf("%x\n", w);
    memcpy(h, &w, 4);
    printf("%x %x\n", h[0], h[1]);
    h[0] ^= h[1];
    memcpy(p, h, sizeof h);
    printf("%x\n", w);
    memcpy(&d, &l, sizeof d);
    printf("%.15f\n", d);
    *(unsigned char *)&l = 0;
    printf("%lx\n", l);
    return 0;
}
