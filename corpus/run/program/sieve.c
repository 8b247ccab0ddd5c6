/* Sieve of Eratosthenes with bytes and with bits; twin primes, prime gaps, factorization. */
#include <stdio.h>
#include <string.h>

#define LIM 10000
static unsigned char comp[LIM + 1];
static unsigned bits[LIM / 32 + 1];

int main(void)
{
    int i, j, n = 0, twins = 0, gap = 0, last = 2, at = 0, x;
    for (i = 2; i * i <= LIM; i++) if (!comp[i]) for (j = i * i; j <= LIM; j += i) comp[j] = 1;
    for (i = 2; i <= LIM; i++) if (!comp[i]) {
        n++;
        if (i >= 5 && !comp[i - 2]) twins++;
        if (i - last > gap) { gap = i - last; at = last; }
        last = i;
    }
    printf("%d %d %d %d %d\n", n, twins, gap, at, last);
    memset(bits, 0xff, sizeof bits);
    for (i = 2; i * i <= LIM; i++) if (bits[i / 32] >> i % 32 & 1) for (j = i * i; j <= LIM; j += i) bits[j / 32] &= ~(1u << j % 32);
    for (n = 0, i = 2; i <= LIM; i++) n += bits[i >> 5] >> (i & 31) & 1;
    printf("%d %08x %08x\n", n, bits[0], bits[5]);
    for (x = 9990; x < 10000; x++) {
        int m = x;
        printf("%d =", x);
        for (j = 2; j * j <= m; j++) while (m % j == 0) { printf(" %d", j); m /= j; }
        if (m > 1) printf(" %d", m);
        printf("\n");
    }
    return 0;
}
