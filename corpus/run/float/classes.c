// The class of a number depends on its type: what is subnormal as a float is normal as a double.
#include <float.h>
#include <math.h>
#include <stdio.h>

static void show_double(const char *name, double x)
{
    printf("%s %d %d %d%d%d%d%d\n", name, fpclassify(x), isnormal(x) != 0, fpclassify(x) == FP_NAN,
           fpclassify(x) == FP_INFINITE, fpclassify(x) == FP_ZERO, fpclassify(x) == FP_SUBNORMAL,
           fpclassify(x) == FP_NORMAL);
}

static void show_float(const char *name, float x)
{
    printf("%s %d %d, as double %d\n", name, fpclassify(x), isnormal(x) != 0, fpclassify((double)x));
}

int main(void)
{
    volatile double zero = 0.0;
    double values[] = {0.0, -0.0, 1.0, -1.0, DBL_MIN, DBL_MIN / 2, -DBL_MIN / 4, DBL_MAX, -DBL_MAX, 1 / zero, -1 / zero, zero / zero};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        show_double("double", values[i]);
        show_float("float", (float)values[i]);
    }
    show_float("least", FLT_MIN);
    show_float("below", FLT_MIN / 2);
    show_float("tiny", 0x1p-149f);
    return 0;
}
