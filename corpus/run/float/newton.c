/* Numerical loops: Newton's square root, Simpson integration, series for pi, Horner evaluation. */
#include <stdio.h>

static double root(double x) { double r = x; int i; for (i = 0; i < 30; i++) r = (r + x / r) / 2; return r; }
static double f(double x) { return x * x * x - 2 * x + 1; }
static double simpson(double (*g)(double), double a, double b, int n)
{
    double h = (b - a) / n, s = g(a) + g(b);
    int i;
    for (i = 1; i < n; i++) s += (i % 2 ? 4 : 2) * g(a + i * h);
    return s * h / 3;
}
static double horner(const double *c, int n, double x) { double r = 0; while (n--) r = r * x + c[n]; return r; }

int main(void)
{
    double pi = 0, c[] = { 1, -2, 0, 1 }, x;
    float mean = 0, m2 = 0;
    int k;
    printf("%.12f %.12f\n", root(2), root(1e6));
    printf("%.10f\n", simpson(f, 0, 2, 100));
    for (k = 0; k < 20; k++) {
        double p = 1; int j;
        for (j = 0; j < k; j++) p /= 16;
        pi += p * (4.0 / (8 * k + 1) - 2.0 / (8 * k + 4) - 1.0 / (8 * k + 5) - 1.0 / (8 * k + 6));
    }
    printf("%.14f\n", pi);
    for (x = -1; x <= 1; x += 0.5) printf("%g %g\n", horner(c, 4, x), f(x));
    for (k = 1; k <= 100; k++) { float v = k * 0.37f, dl = v - mean; mean += dl / k; m2 += dl * (v - mean); }
    printf("%.3f %.2f\n", mean, m2 / 99);
    return 0;
}
