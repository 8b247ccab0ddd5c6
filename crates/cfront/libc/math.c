// Models of <math.h> in terms of the native functions on `double`.
//
// The `float` forms (math_types.c) compute in `double` and round once more, which is exact for the rounding functions,
// `sqrtf`, `fmodf` and the comparisons, and may differ from glibc's in the last two places elsewhere. The `long double`
// forms have the precision of `double`. `fma` is native, `fmal`, `erf`, `tgamma`, `lgamma` and the Bessel functions are not modelled: a
// call is one of an external function without a body.

double sqrt(double x);
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double exp(double x);
double exp2(double x);
double log(double x);
double log2(double x);
double log10(double x);
double floor(double x);
double ceil(double x);
double round(double x);
double trunc(double x);
double rint(double x);
double cbrt(double x);
double fabs(double x);
double atan2(double x, double y);
double pow(double x, double y);
double fmod(double x, double y);
double hypot(double x, double y);
double copysign(double x, double y);
int *__errno_location(void);

// --- the parts of a number ---

union __model_double {
    double value;
    unsigned long long bits;
};

static unsigned long long __model_bits(double x)
{
    union __model_double u;
    u.value = x;
    return u.bits;
}

static double __model_from_bits(unsigned long long bits)
{
    union __model_double u;
    u.bits = bits;
    return u.value;
}

int __model_is_nan(double x)
{
    return x != x;
}

// 1 and -1 for the two infinities.
int __model_is_inf(double x)
{
    return (x > 1.7976931348623157e308) - (x < -1.7976931348623157e308);
}

int __model_is_finite(double x)
{
    return x - x == 0.0;
}

int __model_signbit(double x)
{
    return (int)(__model_bits(x) >> 63);
}

// 0 NaN, 1 infinite, 2 zero, 3 subnormal, 4 normal: glibc's numbers, for a type whose least normal value is `least`.
int __model_classify(double x, double least)
{
    return x != x ? 0 : x - x != 0.0 ? 1 : x == 0.0 ? 2 : x < least && x > -least ? 3 : 4;
}

// In [0.5, 1) times a power of two; 0, infinities and NaN are their own fraction, with exponent 0.
double __model_frexp(double x, int *exponent)
{
    unsigned long long bits;
    int shift = 0;
    *exponent = 0;
    if (x == 0.0 || x - x != 0.0)
        return x + x;
    // A subnormal number is first made normal.
    if (x < 2.2250738585072014e-308 && x > -2.2250738585072014e-308) {
        x = x * 18014398509481984.0;
        shift = 54;
    }
    bits = __model_bits(x);
    *exponent = (int)(bits >> 52 & 2047ull) - 1022 - shift;
    return __model_from_bits((bits & 0x800fffffffffffffull) | 0x3fe0000000000000ull);
}

// The sum of two numbers, the last bit set where it is not exact: rounded once more to a type of half the precision,
// it is what the exact sum would be rounded to.
double __model_odd_sum(double x, double y)
{
    double sum = x + y;
    double back, error;
    unsigned long long bits;
    if (sum - sum != 0.0)
        return sum;
    back = sum - x;
    error = (x - (sum - back)) + (y - back);
    bits = __model_bits(sum);
    if (error == 0.0 || bits & 1ull)
        return sum;
    return __model_from_bits((error > 0.0) == (sum > 0.0) ? bits + 1ull : bits - 1ull);
}

static double __model_power_of_two(int exponent)
{
    return __model_from_bits((unsigned long long)(exponent + 1023) << 52);
}

// At most three multiplications, of which the last alone rounds: the first ones leave 53 bits of room.
double __model_ldexp(double x, int exponent)
{
    double y = x;
    int n = exponent;
    if (n > 1023) {
        y = y * __model_power_of_two(1023);
        n = n - 1023;
        if (n > 1023) {
            y = y * __model_power_of_two(1023);
            n = n - 1023;
            n = n > 1023 ? 1023 : n;
        }
    } else if (n < -1022) {
        y = y * __model_power_of_two(-969);
        n = n + 969;
        if (n < -1022) {
            y = y * __model_power_of_two(-969);
            n = n + 969;
            n = n < -1022 ? -1022 : n;
        }
    }
    y = y * __model_power_of_two(n);
    if (x != 0.0 && x - x == 0.0 && (y == 0.0 || y - y != 0.0))
        *__errno_location() = 34;
    return y;
}

double __model_modf(double x, double *whole)
{
    double integral = trunc(x);
    *whole = integral;
    return x - x != 0.0 && x == x ? copysign(0.0, x) : copysign(x - integral, x);
}

double __model_remainder(double x, double y)
{
    double size = fabs(x);
    double step = fabs(y);
    if (y == 0.0 || x != x || y != y || x - x != 0.0)
        return (x * y) / (x * y);
    if (step <= 8.98846567431158e307)
        size = fmod(size, step + step);
    if (step < 4.450147717014403e-308) {
        if (size + size > step) {
            size = size - step;
            if (size + size >= step)
                size = size - step;
        }
    } else if (size > 0.5 * step) {
        size = size - step;
        if (size >= 0.5 * step)
            size = size - step;
    }
    return __model_signbit(x) ? -size : size;
}

double __model_nextafter(double x, double y)
{
    unsigned long long bits = __model_bits(x);
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0)
        return copysign(4.9406564584124654e-324, y);
    // Away from 0 the pattern grows, whatever the sign.
    return __model_from_bits((x < y) == (x > 0.0) ? bits + 1ull : bits - 1ull);
}

double __model_fmax(double x, double y)
{
    return x != x ? y : y != y ? x : x > y ? x : y;
}

double __model_fmin(double x, double y)
{
    return x != x ? y : y != y ? x : x < y ? x : y;
}

double __model_fdim(double x, double y)
{
    return x <= y ? 0.0 : x - y;
}

double __model_logb(double x)
{
    int exponent;
    if (x == 0.0)
        return -1.0 / fabs(x);
    if (x - x != 0.0)
        return x * x;
    __model_frexp(x, &exponent);
    return (double)(exponent - 1);
}

int __model_ilogb(double x)
{
    int exponent;
    if (x == 0.0 || x != x)
        return -2147483647 - 1;
    if (x - x != 0.0)
        return 2147483647;
    __model_frexp(x, &exponent);
    return exponent - 1;
}

// A float's middle of the two nearest integers is exact in `double`, so one rounding remains one rounding.
// Out of range the result is the least number, as the x86-64 conversion gives.
long __model_to_long(double x)
{
    double bound = sizeof(long) == 8 ? 9223372036854775808.0 : 2147483648.0;
    unsigned long least = ~(~0ul >> 1);
    return x >= -bound && x < bound ? (long)x : (long)least;
}

long long __model_to_long_long(double x)
{
    unsigned long long least = ~(~0ull >> 1);
    return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? (long long)x : (long long)least;
}

// The next six have no native. The formulas (Kahan's for the first two) are right to a few units in the last place.

double __model_log1p(double x)
{
    double sum = 1.0 + x;
    return sum == 1.0 ? x : sum <= 0.0 || sum - sum != 0.0 ? log(sum) : log(sum) - ((sum - 1.0) - x) / sum;
}

double __model_expm1(double x)
{
    double power = exp(x);
    double less = power - 1.0;
    return power == 1.0 ? x : less == -1.0 || power - power != 0.0 ? less : less * (x / log(power));
}

double __model_asinh(double x)
{
    double size = fabs(x);
    double y = size > 134217728.0 ? log(size) + 0.69314718055994530942
             : __model_log1p(size + size * size / (1.0 + sqrt(size * size + 1.0)));
    return copysign(y, x);
}

double __model_acosh(double x)
{
    double less = x - 1.0;
    return x < 1.0 ? sqrt(less)
         : x > 134217728.0 ? log(x) + 0.69314718055994530942
         : __model_log1p(less + sqrt(2.0 * less + less * less));
}

double __model_atanh(double x)
{
    double size = fabs(x);
    return copysign(0.5 * __model_log1p(2.0 * size / (1.0 - size)), x);
}

double __model_exp10(double x)
{
    return pow(10.0, x);
}

// --- functions of <math.h> on `double` that are no natives ---

double log1p(double x)
{
    return __model_log1p(x);
}

double expm1(double x)
{
    return __model_expm1(x);
}

double asinh(double x)
{
    return __model_asinh(x);
}

double acosh(double x)
{
    return __model_acosh(x);
}

double atanh(double x)
{
    return __model_atanh(x);
}

double exp10(double x)
{
    return __model_exp10(x);
}

double logb(double x)
{
    return __model_logb(x);
}

double nearbyint(double x)
{
    return rint(x);
}

double fmax(double x, double y)
{
    return __model_fmax(x, y);
}

double fmin(double x, double y)
{
    return __model_fmin(x, y);
}

double fdim(double x, double y)
{
    return __model_fdim(x, y);
}

double remainder(double x, double y)
{
    return __model_remainder(x, y);
}

double nextafter(double x, double y)
{
    return __model_nextafter(x, y);
}

double drem(double x, double y)
{
    return __model_remainder(x, y);
}

int ilogb(double x)
{
    return __model_ilogb(x);
}

double frexp(double x, int *exponent)
{
    return __model_frexp(x, exponent);
}

double ldexp(double x, int exponent)
{
    return __model_ldexp(x, exponent);
}

double scalbn(double x, int exponent)
{
    return __model_ldexp(x, exponent);
}

double scalbln(double x, long exponent)
{
    return __model_ldexp(x, exponent > 5000 ? 5000 : exponent < -5000 ? -5000 : (int)exponent);
}

double modf(double x, double *whole)
{
    return __model_modf(x, whole);
}

long lround(double x)
{
    return __model_to_long(round(x));
}

long lrint(double x)
{
    return __model_to_long(rint(x));
}

long long llround(double x)
{
    return __model_to_long_long(round(x));
}

long long llrint(double x)
{
    return __model_to_long_long(rint(x));
}

// The text of the payload is not looked at.
double nan(const char *payload)
{
    return __model_from_bits(0x7ff8000000000000ull);
}
