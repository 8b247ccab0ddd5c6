/* Casts and assignments between integer widths: truncation, sign and zero extension. */
#include <stdio.h>

static long long widen_s(signed char x) { return x; }
static long long widen_u(unsigned char x) { return x; }

int main(void)
{
    static const long long v[] = { 0, 127, 128, 255, 256, -1, -128, -129, 32767, 32768, 65535, 65536,
        2147483647LL, 2147483648LL, 4294967295LL, 4294967296LL, -2147483649LL, 0x123456789abcdef0LL };
    unsigned i;
    for (i = 0; i < sizeof v / sizeof v[0]; i++) {
        printf("%lld: %d %u %d %u %d %u", v[i], (signed char)v[i], (unsigned char)v[i], (short)v[i],
               (unsigned short)v[i], (int)v[i], (unsigned)v[i]);
        printf(" %llu %lld %lld\n", (unsigned long long)v[i], widen_s(v[i]), widen_u(v[i]));
    }
    printf("%d %d\n", (int)(signed char)0xff, (int)(unsigned char)-1);
    printf("%lx %lx\n", (unsigned long)(int)0x80000000u, (unsigned long)0x80000000u);
    printf("%lx\n", (unsigned long)(signed char)-2);
    printf("%lx\n", (unsigned long)(unsigned short)(signed char)-2);
    printf("%llx\n", (unsigned long long)(unsigned)(short)-2);
    {
        signed char c = 300; unsigned char d = -1; short s = 70000; unsigned short t = -70000;
        int n = 5000000000LL; unsigned m = -5000000000LL;
        printf("%d %d %d %d %d %u\n", c, d, s, t, n, m);
        c = d = s = t = 0x8181;
        printf("%d %d %d %d\n", c, d, s, t);
    }
    return 0;
}
