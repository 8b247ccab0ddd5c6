/* Bit-vector identities checked by assertions: parity, gcd, modulo, sign tricks, interleaving, -fwrapv sums. */
#include <assert.h>
#include <stdio.h>

static unsigned rnd(void) { static unsigned s = 2463534242u; s ^= s << 13; s ^= s >> 17; return s ^= s << 5; }
static unsigned parity(unsigned v) { v ^= v >> 1; v ^= v >> 2; v = (v & 0x11111111U) * 0x11111111U; return v >> 28 & 1; }
static unsigned interleave(unsigned short x, unsigned short y)
{
    static const unsigned B[] = { 0x55555555, 0x33333333, 0x0F0F0F0F, 0x00FF00FF }; unsigned xx = x, yy = y; int i;
    for (i = 3; i >= 0; i--) { xx = (xx | xx << (1 << i)) & B[i]; yy = (yy | yy << (1 << i)) & B[i]; }
    return xx | yy << 1;
}

int main(void)
{
    int i; unsigned char acc = 0;
    for (i = 0; i < 400; i++) {
        unsigned x = rnd(), y = rnd() | 1, p = 0, z = 0; int a = (int)x, b = (int)y, k;
        for (k = 0; k < 32; k++) p ^= x >> k & 1;
        assert(p == parity(x));
        for (k = 0; k < 16; k++) z |= (x & 1u << k) << k | (y & 1u << k) << (k + 1);
        assert(z == interleave(x, y));
        assert((x & y) + (x | y) == x + y);
        assert((x ^ y) == (x | y) - (x & y));
        assert(x / y * y + x % y == x);
        assert((a < b ? a : b) == (b ^ ((a ^ b) & -(a < b))));
        assert((unsigned)(a + b) == x + y && (unsigned)(a * b) == x * y);
        assert((x & (x - 1)) == (x & ~(x & -x)));
        assert((int)(x << 24) >> 24 == (signed char)x);
        acc = acc * 3 + p + (z >> 7);
    }
    printf("%u\n", acc);
    printf("%x %u %x\n", interleave(0xffff, 0), parity(7), rnd());
    return acc;
}
