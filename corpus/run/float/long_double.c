/* long double: more precision than double, conversions, printing, literals with suffix. */
#include <float.h>
#include <math.h>
#include <stdio.h>

static long double avg(const long double *a, int n) { long double s = 0; int i; for (i = 0; i < n; i++) s += a[i]; return s / n; }

int main(void)
{
    long double a = 1.0L / 3, b = 1, t[] = { 1.5L, 2.5L, 4 };
    unsigned long big = ~0ul;
    double d = a;
    int i = 0;
    printf("%.20Lf\n%.20f\n", a, d);
    printf("%d %d\n", a == d, (double)a == d);
    while (1 + b != 1) { b /= 2; i++; }
    printf("%d %zu\n", i, sizeof b);
    printf("%Lf %lu\n", (long double)big, (unsigned long)(long double)big);
    printf("%Lg %.3Le %10.2Lf|\n", avg(t, 3), 12345.678L, 2.5L);
    printf("%.1Lf\n", sqrtl(2.25L) + fabsl(-1.5L));
    printf("%d\n", (int)(2.9L * 10));
    a = 1e300; a *= 1e300; printf("%Lg\n", a);
    return (int)avg(t, 2);
}
