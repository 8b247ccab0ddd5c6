/* Unary minus, plus and complement; sign functions; abs family; minimum values under -fwrapv. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int v[] = { 0, 1, -1, 100, -100, INT_MAX, INT_MIN + 1 };
    unsigned i;
    int m = INT_MIN;
    for (i = 0; i < sizeof v / sizeof *v; i++)
        printf("%d %d %d %d %d\n", -v[i], +v[i], ~v[i], abs(v[i]), - -v[i]);
    printf("%ld %lld\n", labs(-5000000000L), llabs(-5000000000LL));
    printf("%d %d\n", -m, -m == m);
    printf("%ld\n", -(long)m);
    printf("%u\n", -(unsigned)m);
    printf("%u\n", 0u - (unsigned)m);
    printf("%d\n", -~m);
    printf("%d %d\n", !5, !!5);
    printf("%d\n", -!0);
    printf("%d\n", 10 - -3 + +4);
    {
        div_t d = div(-17, 5);
        ldiv_t ld = ldiv(17000000000L, -6);
        printf("%d %d %ld %ld\n", d.quot, d.rem, ld.quot, ld.rem);
    }
    return 0;
}
