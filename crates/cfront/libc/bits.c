// Models of the compiler's bit-counting built-ins, of <strings.h>'s `ffs` and of the byte-order functions.
//
// All are branch-free: sums over halves instead of loops, so that a call adds no decision. The `l` forms go
// through `long long` and correct for the width of `long`, so they hold under LP64 and ILP32.
// On 0, where GNU C leaves the result open, the `clz` and `ctz` forms give the width.

static int __model_popcount(unsigned x)
{
    x = x - ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return (int)((x * 0x01010101u) >> 24);
}

static int __model_popcountll(unsigned long long x)
{
    return __model_popcount((unsigned)x) + __model_popcount((unsigned)(x >> 32));
}

static int __model_clz(unsigned x)
{
    x = x | x >> 1;
    x = x | x >> 2;
    x = x | x >> 4;
    x = x | x >> 8;
    x = x | x >> 16;
    return 32 - __model_popcount(x);
}

static int __model_clzll(unsigned long long x)
{
    x = x | x >> 1;
    x = x | x >> 2;
    x = x | x >> 4;
    x = x | x >> 8;
    x = x | x >> 16;
    x = x | x >> 32;
    return 64 - __model_popcountll(x);
}

// The bits below the lowest set one, counted.
static int __model_ctz(unsigned x)
{
    return __model_popcount(~x & (x - 1u));
}

static int __model_ctzll(unsigned long long x)
{
    return __model_popcountll(~x & (x - 1ull));
}

static int __model_ffs(unsigned x)
{
    return (__model_ctz(x) + 1) * (x != 0);
}

static int __model_ffsll(unsigned long long x)
{
    return (__model_ctzll(x) + 1) * (x != 0);
}

static int __model_parity(unsigned x)
{
    x = x ^ x >> 16;
    x = x ^ x >> 8;
    x = x ^ x >> 4;
    x = x ^ x >> 2;
    x = x ^ x >> 1;
    return (int)(x & 1u);
}

static unsigned short __model_bswap16(unsigned short x)
{
    return (unsigned short)((x & 0xffu) << 8 | x >> 8);
}

static unsigned __model_bswap32(unsigned x)
{
    return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

static unsigned long long __model_bswap64(unsigned long long x)
{
    return (unsigned long long)__model_bswap32((unsigned)x) << 32 | __model_bswap32((unsigned)(x >> 32));
}

int __builtin_popcount(unsigned x)
{
    return __model_popcount(x);
}

int __builtin_popcountl(unsigned long x)
{
    return __model_popcountll(x);
}

int __builtin_popcountll(unsigned long long x)
{
    return __model_popcountll(x);
}

int __builtin_clz(unsigned x)
{
    return __model_clz(x);
}

int __builtin_clzl(unsigned long x)
{
    return __model_clzll(x) - (64 - 8 * (int)sizeof(long));
}

int __builtin_clzll(unsigned long long x)
{
    return __model_clzll(x);
}

int __builtin_ctz(unsigned x)
{
    return __model_ctz(x);
}

int __builtin_ctzl(unsigned long x)
{
    return __model_popcountll(~x & (x - 1ul));
}

int __builtin_ctzll(unsigned long long x)
{
    return __model_ctzll(x);
}

// Leading bits equal to the sign bit, not counting the sign bit itself.
int __builtin_clrsb(int x)
{
    return __model_clz((unsigned)(x < 0 ? ~x : x)) - 1;
}

int __builtin_clrsbl(long x)
{
    return __model_clzll((unsigned long long)(x < 0 ? ~x : x)) - (64 - 8 * (int)sizeof(long)) - 1;
}

int __builtin_clrsbll(long long x)
{
    return __model_clzll((unsigned long long)(x < 0 ? ~x : x)) - 1;
}

int __builtin_ffs(int x)
{
    return __model_ffs((unsigned)x);
}

int __builtin_ffsl(long x)
{
    return __model_ffsll((unsigned long)x);
}

int __builtin_ffsll(long long x)
{
    return __model_ffsll((unsigned long long)x);
}

int ffs(int x)
{
    return __model_ffs((unsigned)x);
}

int ffsl(long x)
{
    return __model_ffsll((unsigned long)x);
}

int ffsll(long long x)
{
    return __model_ffsll((unsigned long long)x);
}

int __builtin_parity(unsigned x)
{
    return __model_parity(x);
}

int __builtin_parityl(unsigned long x)
{
    return __model_parity((unsigned)x ^ (unsigned)((unsigned long long)x >> 32));
}

int __builtin_parityll(unsigned long long x)
{
    return __model_parity((unsigned)x ^ (unsigned)(x >> 32));
}

unsigned short __builtin_bswap16(unsigned short x)
{
    return __model_bswap16(x);
}

unsigned __builtin_bswap32(unsigned x)
{
    return __model_bswap32(x);
}

unsigned long long __builtin_bswap64(unsigned long long x)
{
    return __model_bswap64(x);
}

// The modelled machines are little-endian, the network is big-endian.
unsigned htonl(unsigned x)
{
    return __model_bswap32(x);
}

unsigned ntohl(unsigned x)
{
    return __model_bswap32(x);
}

unsigned short htons(unsigned short x)
{
    return __model_bswap16(x);
}

unsigned short ntohs(unsigned short x)
{
    return __model_bswap16(x);
}
