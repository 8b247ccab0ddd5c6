/* math.h on exact and well-conditioned cases: sqrt, floor, ceil, round, trunc, fmod, pow, ldexp, frexp, modf, hypot. */
#include <math.h>
#include <stdio.h>

int main(void)
{
    double v[] = { 0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 2.4999, 1e15 + 0.5 }, ip;
    int i, e;
    for (i = 0; i < 9; i++)
        printf("%g: %g %g %g %g %g %ld\n", v[i], floor(v[i]), ceil(v[i]), round(v[i]), trunc(v[i]), rint(v[i]), lround(v[i]));
    printf("%g %g %.17g\n", sqrt(144), sqrt(0.25), sqrt(2));
    printf("%g %g %g %g\n", pow(2, 10), pow(2, -2), pow(9, 0.5), pow(-2, 3));
    printf("%g %g %g\n", fmod(7, 3), fmod(-7, 3), fmod(5.5, -2));
    printf("%g %g %g\n", fabs(-3.5), fmax(1, 2), fmin(-1, 3));
    printf("%g %g\n", ldexp(0.75, 4), frexp(48, &e)); printf("%d\n", e);
    printf("%g ", modf(-3.75, &ip)); printf("%g\n", ip);
    printf("%g %g %g\n", hypot(3, 4), cbrt(27), exp(0));
    printf("%g %g %g %g\n", log(1), log10(1000), log2(8), exp2(5));
    printf("%.6f %.6f %.6f\n", sin(1), cos(1), atan2(1, -1));
    printf("%.6f %.6f %.6f\n", exp(1), log(10), tan(0.5));
    printf("%d %d %d\n", isinf(1 / v[0]) != 0, isnan(sqrt(-1)) != 0, signbit(-0.0) != 0);
    printf("%g %g\n", copysign(3, -1), fdim(5, 3));
    printf("%.9g %.9g\n", sqrtf(2.0f), fabsf(-1.25f));
    return (int)pow(3, 4);
}
