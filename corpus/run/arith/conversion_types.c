/* The result type of mixed arithmetic and of constants, observed with _Generic. */
#include <stdio.h>

#define NAME(x) _Generic((x), _Bool: "bool", char: "char", signed char: "schar", unsigned char: "uchar", \
    short: "short", unsigned short: "ushort", int: "int", unsigned: "uint", long: "long", \
    unsigned long: "ulong", long long: "llong", unsigned long long: "ullong", float: "float", \
    double: "double", long double: "ldouble", default: "other")

int main(void)
{
    char c = 1; unsigned char uc = 1; short s = 1; unsigned short us = 1;
    int i = 1; unsigned u = 1; long l = 1; unsigned long ul = 1;
    long long ll = 1; unsigned long long ull = 1;
    float f = 1; double d = 1; long double ld = 1;

    printf("%s %s %s %s\n", NAME(c + c), NAME(uc + s), NAME(us + us), NAME(s + us));
    printf("%s %s %s %s\n", NAME(i + u), NAME(u + l), NAME(l + ul), NAME(u + ll));
    printf("%s %s %s %s\n", NAME(l + ll), NAME(ul + ll), NAME(ll + ull), NAME(ull + f));
    printf("%s %s %s %s\n", NAME(i + f), NAME(f + d), NAME(d + ld), NAME(ull + ld));
    printf("%s %s %s %s\n", NAME(us << l), NAME(1 << ul), NAME(ul >> 1), NAME(c << 40L));
    printf("%s %s %s %s\n", NAME(~uc), NAME(-u), NAME(!ld), NAME(+c));
    printf("%s %s %s\n", NAME(1 ? i : u), NAME(0 ? c : c), NAME(1 ? 1L : 2.0f));
    printf("%s %s %s %s\n", NAME(i < u), NAME(d == d), NAME(l && ld), NAME(sizeof i));
    printf("%s %s %s %s\n", NAME('a'), NAME(2147483647), NAME(2147483648), NAME(4294967295));
    printf("%s %s %s %s\n", NAME(0x7fffffff), NAME(0x80000000), NAME(0x100000000), NAME(0xffffffffffffffff));
    printf("%s %s %s %s\n", NAME(037777777777), NAME(1U), NAME(1LU), NAME(1ULL));
    printf("%s %s %s %s\n", NAME(0b101), NAME(1e3), NAME(1.f), NAME(1.L));
    printf("%s %s\n", NAME((c, l)), NAME(c = l));
    printf("%s %s\n", NAME(uc++), NAME(s += 1.5));
    return 0;
}
