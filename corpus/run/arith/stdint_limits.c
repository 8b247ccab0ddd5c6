/* stdint, limits and inttypes: exact widths, limits, format macros, constant macros. */
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    int8_t a = INT8_MIN; uint8_t b = UINT8_MAX; int16_t c = INT16_MIN; uint16_t d = UINT16_MAX;
    int32_t e = INT32_MIN; uint32_t f = UINT32_MAX; int64_t g = INT64_MIN; uint64_t h = UINT64_MAX;
    printf("%" PRId8 " %" PRIu8 " %" PRId16 " %" PRIu16 "\n", a, b, c, d);
    printf("%" PRId32 " %" PRIu32 " %" PRId64 " %" PRIu64 "\n", e, f, g, h);
    printf("%" PRIx32 " %" PRIX64 " %" PRIo16 " %08" PRIx8 "\n", f, h, d, b);
    printf("%d %d %d %d\n", CHAR_BIT, SCHAR_MIN, SCHAR_MAX, UCHAR_MAX);
    printf("%d %d %d\n", SHRT_MIN, SHRT_MAX, USHRT_MAX);
    printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    printf("%lld %lld %llu\n", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
    printf("%jd %ju\n", INTMAX_MIN, UINTMAX_MAX);
    printf("%zu %d\n", SIZE_MAX, PTRDIFF_MAX == INT64_MAX);
    printf("%" PRId64 " %" PRIu64 "\n", INT64_C(1) << 62, UINT64_C(1) << 63);
    printf("%zu %zu %zu\n", sizeof(int_least8_t), sizeof(int_fast16_t), sizeof(intptr_t));
    a--; b++; c--; d++; f++; h++;
    printf("%d %d %d %d %u %" PRIu64 "\n", a, b, c, d, f, h);
    printf("%" PRIdMAX "\n", (intmax_t)-1);
    return 0;
}
