/* Division truncates toward zero; the remainder takes the dividend's sign, in every width. */
#include <limits.h>
#include <stdio.h>

int main(void)
{
    static const int num[] = { 7, -7, 8, -8, 1, -1, 0, INT_MAX, INT_MIN };
    static const int den[] = { 3, -3, 2, -2, 7, -7, INT_MAX, INT_MIN };
    unsigned i, j;
    for (i = 0; i < sizeof num / sizeof *num; i++)
        for (j = 0; j < sizeof den / sizeof *den; j++) {
            int q = num[i] / den[j], r = num[i] % den[j];
            printf("%d / %d = %d rem %d %s\n", num[i], den[j], q, r, q * den[j] + r == num[i] ? "ok" : "BAD");
        }
    printf("%ld %ld\n", -7L / 2, -7L % 2);
    printf("%ld %ld\n", LONG_MIN / 10, LONG_MIN % 10);
    printf("%u %u\n", -7u / 2, -7u % 2);
    printf("%u %u\n", -7 / 2u, -7 % 2u);
    printf("%lld %llu\n", -7LL / 2, -7LL / 2ull);
    printf("%d %d\n", (signed char)-128 / (signed char)-1, (signed char)-128 % (signed char)-1);
    printf("%d\n", (short)-32768 / -1);
    {
        int x = -17; x /= 5; printf("%d ", x);
        x = -17; x %= 5; printf("%d ", x);
        x = -17; x >>= 2; printf("%d\n", x);
    }
    return 0;
}
