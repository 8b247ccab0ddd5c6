/* Initial values of long doubles, computed when the program is compiled. */
#include <stdio.h>

#define LARGE 5.9486574767861588254287966331400356538172e4931L

static long double sum = LARGE + LARGE;
static long double product = 2.0L * LARGE;
static long double third = 1.0L / 3.0L;
static long double rounded = 1.0L + 0x1p-64L, next = 1.0L + 0x1.8p-64L;
static long double infinite = 1.0L / 0.0L, strange = 1.0L / 0.0L - 1.0L / 0.0L;
static int compared = 0.1L < 0.1 && 1.0L / 3.0L != 1.0 / 3.0;

int main(void)
{
    printf("%d %La %La %La\n", sum == product, third, rounded, next);
    printf("%Lf %d %d\n", infinite, strange != strange, compared);
    return 0;
}
