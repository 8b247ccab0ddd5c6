/* Signed overflow wraps around: the program is meant for -fwrapv. */
#include <limits.h>
#include <stdio.h>

static int inc(int x) { return x + 1; }
static int mul(int a, int b) { return a * b; }
static long lmul(long a, long b) { return a * b; }

int main(void)
{
    int i = INT_MAX, h = 5381, k;
    long l = LONG_MAX;
    printf("%d\n", inc(i));
    printf("%d\n", inc(i) < i);
    i++;
    printf("%d %d\n", i, -i);
    i--;
    printf("%d\n", i);
    printf("%d %d\n", mul(65536, 65536), mul(65537, 65537));
    printf("%d\n", mul(INT_MIN, 3));
    l += 2;
    printf("%ld\n", l);
    printf("%ld %ld\n", lmul(1L << 40, 1L << 30), lmul(0x123456789abcdefL, 0x1000003));
    for (k = 0; k < 12; k++) {
        h = h * 33 + k * 7919;
        printf("%d ", h);
    }
    printf("\n");
    i = INT_MIN;
    printf("%d %d\n", i - 1, i + i);
    i -= 1;
    i *= 2;
    printf("%d\n", i);
    printf("%lld\n", (long long)(inc(INT_MAX)));
    return 0;
}
