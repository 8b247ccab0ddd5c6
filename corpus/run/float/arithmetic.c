/* double and float arithmetic: rounding, float versus double intermediate, signed zero, infinities, NaN tests. */
#include <float.h>
#include <stdio.h>

int main(void)
{
    double a = 0.1, b = 0.2, zero = 0.0, big = 1e308, nan;
    float f = 0.1f, g = 16777216.0f, h;
    int i;
    printf("%d %.17g\n", a + b == 0.3, a + b);
    printf("%d %.17g\n", f == 0.1, (double)f);
    printf("%d %g\n", g + 1 == g, g + 2);
    h = 1.0f / 3; printf("%.9g %.17g\n", h, 1.0 / 3);
    printf("%g %g %d\n", big * 10, -big * 10, big * 10 == 1 / zero);
    nan = zero / zero;
    printf("%d %d %d %d\n", nan == nan, nan != nan, nan < 1, !(nan >= 1));
    printf("%d %g %g\n", zero == -zero, 1 / -zero, -zero);
    for (i = 0, a = 0; i < 10; i++) a += 0.1;
    printf("%.17g %d\n", a, a == 1);
    for (i = 0, f = 0; i < 1000; i++) f += 0.001f;
    printf("%.9g\n", f);
    a = 1; i = 0; while (1 + a != 1) { a /= 2; i++; }
    printf("%d %g %g\n", i, a * 2, DBL_EPSILON);
    printf("%g %g %g\n", DBL_MAX, DBL_MIN, (double)FLT_MAX);
    printf("%.10g %.10g\n", 7.0 / 2 * 3 - 1e-3, -7.5 + 2 * -0.25);
    a = 5e-324; printf("%g %g\n", a, a / 2);
    f = 3.4e38f; f *= 10; printf("%g\n", f);
    a = -a; printf("%d %d\n", a < 0, -a > 0);
    a = 10; a++; --a; a -= 0.5; printf("%g %d %d\n", a, !a, a && 1);
    return 0;
}
