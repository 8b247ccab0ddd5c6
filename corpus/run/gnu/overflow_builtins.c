/* __builtin_add/sub/mul_overflow with each width, mixed result types, and the typed variants. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static int sat_add(int a, int b) { int r; return __builtin_add_overflow(a, b, &r) ? (a < 0 ? INT_MIN : INT_MAX) : r; }

int main(void)
{
    int i; unsigned u; long l; unsigned long ul; signed char sc; uint8_t u8; int64_t q; _Bool o;
    o = __builtin_add_overflow(INT_MAX, 1, &i); printf("%d %d\n", o, i);
    o = __builtin_add_overflow(INT_MAX, -1, &i); printf("%d %d\n", o, i);
    o = __builtin_sub_overflow(INT_MIN, 1, &i); printf("%d %d\n", o, i);
    o = __builtin_mul_overflow(65536, 65536, &i); printf("%d %d\n", o, i);
    o = __builtin_mul_overflow(65536, 65536, &l); printf("%d %ld\n", o, l);
    o = __builtin_mul_overflow(65536, 65536, &u); printf("%d %u\n", o, u);
    o = __builtin_sub_overflow(3u, 5u, &u); printf("%d %u\n", o, u);
    o = __builtin_sub_overflow(3u, 5u, &i); printf("%d %d\n", o, i);
    o = __builtin_add_overflow(100, 100, &sc); printf("%d %d\n", o, sc);
    o = __builtin_add_overflow(100, 100, &u8); printf("%d %d\n", o, u8);
    o = __builtin_add_overflow(-1, 1u, &i); printf("%d %d\n", o, i);
    o = __builtin_add_overflow(-1, 0u, &u); printf("%d %u\n", o, u);
    o = __builtin_mul_overflow(LONG_MAX, 2L, &l); printf("%d %ld\n", o, l);
    o = __builtin_mul_overflow(LONG_MIN, -1L, &q); printf("%d %ld\n", o, (long)q);
    o = __builtin_add_overflow(ULONG_MAX, 1ul, &ul); printf("%d %lu\n", o, ul);
    o = __builtin_sadd_overflow(1, 2, &i); printf("%d %d\n", o, i);
    o = __builtin_umul_overflow(1u << 31, 2, &u); printf("%d %u\n", o, u);
    o = __builtin_ssubl_overflow(LONG_MIN, 1, &l); printf("%d %ld\n", o, l);
    printf("%d %d %d\n", sat_add(INT_MAX, 5), sat_add(INT_MIN, -5), sat_add(3, 4));
    if (__builtin_mul_overflow(1000, 1000, &i)) puts("no"); else printf("fine %d\n", i);
    return 0;
}
