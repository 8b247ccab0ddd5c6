/* printf of doubles: f, e, g, a with flags, widths and precisions; rounding, infinities, zeros. */
#include <math.h>
#include <stdio.h>

int main(void)
{
    double v[] = { 0.0, -0.0, 1.0, -1.5, 0.1, 123456.789, 1e-5, 1e10, 123456789.0, 2.5, 3.5, 0.00012345, 1e100, 1e-300, 9.9999995 };
    unsigned i;
    for (i = 0; i < sizeof v / sizeof *v; i++) {
        printf("[%f] [%.2f] [%10.3f] [%-10.1f] [%+.0f] [%010.2f] [% .1f]\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
        printf("[%e] [%.2e] [%.0E] [%14.4e] [%g] [%.3g] [%G] [%#g] [%.10g] [%+g]\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    }
    printf("%.0f %.0f %.0f %.0f %.1f %.1f\n", 0.5, 1.5, 2.5, -0.5, 0.25, 0.35);
    printf("%f %e %g %F %5.1f %-8f| %08f\n", INFINITY, -INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, -INFINITY);
    printf("%.15g %.17g %.20f %.30f\n", 0.1, 0.1, 0.1, 0.1);
    printf("%*.*f %.*g %#.0f %#.0e\n", 10, 2, 3.14159, 3, 2.71828, 3.0, 3.0);
    printf("%a %a %.2a %A\n", 1.0, -0.15625, 3.14159, 255.0);
    printf("%g %g %g %g %g\n", 100000.0, 1000000.0, 0.0001, 0.00001, 1e15);
    printf("%Lf %Lg %.3Le\n", 1.5L, 2.25L, 12345.678L);
    printf("%d %g %s %c\n", 1, 2.0, "three", '4');
    return 0;
}
