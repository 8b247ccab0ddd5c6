/* 64-bit arithmetic: factorials, powers, gcd, modular exponentiation, constants with suffixes. */
#include <stdio.h>

static unsigned long long gcd(unsigned long long a, unsigned long long b)
{
    return b ? gcd(b, a % b) : a;
}

static unsigned long long powmod(unsigned long long b, unsigned long long e, unsigned long long m)
{
    unsigned long long r = 1;
    for (b %= m; e; e >>= 1, b = b * b % m)
        if (e & 1)
            r = r * b % m;
    return r;
}

int main(void)
{
    long long f = 1;
    unsigned long long fib[94];
    int i;
    for (i = 1; i <= 20; i++) {
        f *= i;
        printf("%lld%c", f, i % 5 ? ' ' : '\n');
    }
    fib[0] = 0; fib[1] = 1;
    for (i = 2; i < 94; i++)
        fib[i] = fib[i - 1] + fib[i - 2];
    printf("%llu %llu\n", fib[92], fib[93]);
    printf("%llu\n", fib[93] + fib[93]);
    printf("%llu %llu\n", gcd(fib[90], fib[60]), gcd(1ULL << 40, 3ULL << 37));
    printf("%llu %llu\n", powmod(2, 1000000006, 1000000007), powmod(3, 1ULL << 40, 4294967291ULL));
    printf("%lld %lld\n", 9223372036854775807LL, -9223372036854775807LL - 1);
    printf("%llu %#llx %#llo\n", 18446744073709551615ULL, 0xdeadbeefcafef00dULL, 01777777777777777777777ULL);
    printf("%d\n", (int)(0x123456789LL >> 4));
    printf("%lld\n", 1000000 * 1000000LL);
    printf("%lld\n", -5LL / 2 * 2 + -5LL % 2);
    return (int)(f % 251);
}
