/* Bit builtins: popcount, clz, ctz, ffs, parity, bswap, clrsb in each width. */
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    uint32_t v[] = { 1, 2, 0x80000000u, 0xffffffffu, 0x00f0a000u, 12345 };
    uint64_t w[] = { 1, 1ull << 40, ~0ull, 0x8000000000000000ull, 0x123456789abcdef0ull };
    int i;
    for (i = 0; i < 6; i++)
        printf("%d %d %d %d %d %08x\n", __builtin_popcount(v[i]), __builtin_clz(v[i]), __builtin_ctz(v[i]), __builtin_ffs(v[i]), __builtin_parity(v[i]), __builtin_bswap32(v[i]));
    for (i = 0; i < 5; i++)
        printf("%d %d %d %d %d %016lx\n", __builtin_popcountll(w[i]), __builtin_clzll(w[i]), __builtin_ctzl(w[i]), __builtin_ffsll(w[i]), __builtin_parityl(w[i]), (unsigned long)__builtin_bswap64(w[i]));
    printf("%x %d\n", __builtin_bswap16(0x1234), __builtin_ffs(0));
    printf("%d %d %d\n", __builtin_clrsb(-1), __builtin_clrsb(0x0fff), __builtin_clrsbl(-256L));
    printf("%d\n", __builtin_popcount(-1) + __builtin_popcountl(-1L));
    return 31 - __builtin_clz(1000);
}
