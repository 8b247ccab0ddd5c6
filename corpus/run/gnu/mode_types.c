/* Widths and conversions through GNU mode types and __builtin types; __int128 in structs, arrays and conditions. */
#include <stdio.h>

typedef unsigned int u128 __attribute__((mode(TI)));
typedef int s8 __attribute__((mode(QI)));
typedef unsigned u16 __attribute__((mode(HI)));
struct wide { char c; unsigned __int128 v; };
static unsigned __int128 mulmod(unsigned __int128 a, unsigned __int128 b, unsigned long m) { return a * b % m; }
static unsigned long powmod(unsigned long b, unsigned long e, unsigned long m) { unsigned long r = 1; for (; e; e >>= 1, b = mulmod(b, b, m)) if (e & 1) r = mulmod(r, b, m); return r; }

int main(void)
{
    s8 a = 200; u16 b = 70000; u128 c = 1; struct wide w[2] = { { 'a', 5 }, { 'b', ~(unsigned __int128)0 } }; __int128 n = -3; int i;
    printf("%d %d %zu %zu %zu\n", a, b, sizeof a, sizeof b, sizeof c);
    for (i = 0; i < 100; i++) c = c * 3 + 1;
    printf("%lx %lx\n", (unsigned long)(c >> 64), (unsigned long)c);
    printf("%zu %lx %d\n", sizeof w, (unsigned long)(w[1].v >> 65), w[0].v < w[1].v);
    w[0].v <<= 100; w[0].v += w[1].v; printf("%lx\n", (unsigned long)(w[0].v >> 96));
    while (n++ < 0) printf("%d ", (int)n);
    printf("%d\n", n ? 1 : 0);
    printf("%lu %lu\n", powmod(3, 1000000006, 1000000007), powmod(2, 0xffffffff, 0xffffffffffffffc5ul));
    switch ((int)(c % 7)) { case 0 ... 3: puts("low"); break; default: puts("high"); }
    return (int)(c % 100);
}
