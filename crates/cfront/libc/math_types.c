// Models of the `float` and `long double` functions of <math.h>, through `double` with the limits that math.c names,
// and of the functions behind its classification macros.

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
double __model_log1p(double x);
double __model_expm1(double x);
double __model_asinh(double x);
double __model_acosh(double x);
double __model_atanh(double x);
double __model_exp10(double x);
double __model_logb(double x);
double __model_fmax(double x, double y);
double __model_fmin(double x, double y);
double __model_fdim(double x, double y);
double __model_remainder(double x, double y);
double __model_nextafter(double x, double y);
double __model_odd_sum(double x, double y);
double __model_frexp(double x, int *exponent);
double __model_ldexp(double x, int exponent);
double __model_modf(double x, double *whole);
int __model_ilogb(double x);
long __model_to_long(double x);
long long __model_to_long_long(double x);
int __model_is_nan(double x);
int __model_is_inf(double x);
int __model_is_finite(double x);
int __model_signbit(double x);
int __model_classify(double x, double least);

// --- float ---

// The product of two of them is exact in `double`.
float fmaf(float x, float y, float z)
{
    return (float)__model_odd_sum((double)x * (double)y, (double)z);
}

float sqrtf(float x)
{
    return (float)sqrt((double)x);
}

float sinf(float x)
{
    return (float)sin((double)x);
}

float cosf(float x)
{
    return (float)cos((double)x);
}

float tanf(float x)
{
    return (float)tan((double)x);
}

float asinf(float x)
{
    return (float)asin((double)x);
}

float acosf(float x)
{
    return (float)acos((double)x);
}

float atanf(float x)
{
    return (float)atan((double)x);
}

float sinhf(float x)
{
    return (float)sinh((double)x);
}

float coshf(float x)
{
    return (float)cosh((double)x);
}

float tanhf(float x)
{
    return (float)tanh((double)x);
}

float expf(float x)
{
    return (float)exp((double)x);
}

float exp2f(float x)
{
    return (float)exp2((double)x);
}

float logf(float x)
{
    return (float)log((double)x);
}

float log2f(float x)
{
    return (float)log2((double)x);
}

float log10f(float x)
{
    return (float)log10((double)x);
}

float floorf(float x)
{
    return (float)floor((double)x);
}

float ceilf(float x)
{
    return (float)ceil((double)x);
}

float roundf(float x)
{
    return (float)round((double)x);
}

float truncf(float x)
{
    return (float)trunc((double)x);
}

float rintf(float x)
{
    return (float)rint((double)x);
}

float cbrtf(float x)
{
    return (float)cbrt((double)x);
}

float fabsf(float x)
{
    return (float)fabs((double)x);
}

float atan2f(float x, float y)
{
    return (float)atan2((double)x, (double)y);
}

float powf(float x, float y)
{
    return (float)pow((double)x, (double)y);
}

float fmodf(float x, float y)
{
    return (float)fmod((double)x, (double)y);
}

float hypotf(float x, float y)
{
    return (float)hypot((double)x, (double)y);
}

float copysignf(float x, float y)
{
    return (float)copysign((double)x, (double)y);
}

float log1pf(float x)
{
    return (float)__model_log1p((double)x);
}

float expm1f(float x)
{
    return (float)__model_expm1((double)x);
}

float asinhf(float x)
{
    return (float)__model_asinh((double)x);
}

float acoshf(float x)
{
    return (float)__model_acosh((double)x);
}

float atanhf(float x)
{
    return (float)__model_atanh((double)x);
}

float exp10f(float x)
{
    return (float)__model_exp10((double)x);
}

float logbf(float x)
{
    return (float)__model_logb((double)x);
}

float fmaxf(float x, float y)
{
    return (float)__model_fmax((double)x, (double)y);
}

float fminf(float x, float y)
{
    return (float)__model_fmin((double)x, (double)y);
}

float fdimf(float x, float y)
{
    return (float)__model_fdim((double)x, (double)y);
}

float remainderf(float x, float y)
{
    return (float)__model_remainder((double)x, (double)y);
}

float nearbyintf(float x)
{
    return (float)rint((double)x);
}

int ilogbf(float x)
{
    return __model_ilogb((double)x);
}

float frexpf(float x, int *exponent)
{
    return (float)__model_frexp((double)x, exponent);
}

float ldexpf(float x, int exponent)
{
    return (float)__model_ldexp((double)x, exponent);
}

float scalbnf(float x, int exponent)
{
    return (float)__model_ldexp((double)x, exponent);
}

float modff(float x, float *whole)
{
    double integral;
    double fraction = __model_modf((double)x, &integral);
    *whole = (float)integral;
    return (float)fraction;
}

long lroundf(float x)
{
    return __model_to_long(round((double)x));
}

long lrintf(float x)
{
    return __model_to_long(rint((double)x));
}

long long llroundf(float x)
{
    return __model_to_long_long(round((double)x));
}

long long llrintf(float x)
{
    return __model_to_long_long(rint((double)x));
}

float nanf(const char *payload)
{
    return (float)((1e308 * 10.0) * 0.0);
}

union __model_float {
    float value;
    unsigned bits;
};

float nextafterf(float x, float y)
{
    union __model_float u;
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0f) {
        // The least positive float, with the sign of `y`.
        u.bits = 1u;
        return y > 0.0f ? u.value : -u.value;
    }
    u.value = x;
    u.bits = (x < y) == (x > 0.0f) ? u.bits + 1u : u.bits - 1u;
    return u.value;
}

// --- long double ---

long double sqrtl(long double x)
{
    return (long double)sqrt((double)x);
}

long double sinl(long double x)
{
    return (long double)sin((double)x);
}

long double cosl(long double x)
{
    return (long double)cos((double)x);
}

long double tanl(long double x)
{
    return (long double)tan((double)x);
}

long double asinl(long double x)
{
    return (long double)asin((double)x);
}

long double acosl(long double x)
{
    return (long double)acos((double)x);
}

long double atanl(long double x)
{
    return (long double)atan((double)x);
}

long double sinhl(long double x)
{
    return (long double)sinh((double)x);
}

long double coshl(long double x)
{
    return (long double)cosh((double)x);
}

long double tanhl(long double x)
{
    return (long double)tanh((double)x);
}

long double expl(long double x)
{
    return (long double)exp((double)x);
}

long double exp2l(long double x)
{
    return (long double)exp2((double)x);
}

long double logl(long double x)
{
    return (long double)log((double)x);
}

long double log2l(long double x)
{
    return (long double)log2((double)x);
}

long double log10l(long double x)
{
    return (long double)log10((double)x);
}

long double floorl(long double x)
{
    return (long double)floor((double)x);
}

long double ceill(long double x)
{
    return (long double)ceil((double)x);
}

long double roundl(long double x)
{
    return (long double)round((double)x);
}

long double truncl(long double x)
{
    return (long double)trunc((double)x);
}

long double rintl(long double x)
{
    return (long double)rint((double)x);
}

long double cbrtl(long double x)
{
    return (long double)cbrt((double)x);
}

long double fabsl(long double x)
{
    return (long double)fabs((double)x);
}

long double atan2l(long double x, long double y)
{
    return (long double)atan2((double)x, (double)y);
}

long double powl(long double x, long double y)
{
    return (long double)pow((double)x, (double)y);
}

long double fmodl(long double x, long double y)
{
    return (long double)fmod((double)x, (double)y);
}

long double hypotl(long double x, long double y)
{
    return (long double)hypot((double)x, (double)y);
}

long double copysignl(long double x, long double y)
{
    return (long double)copysign((double)x, (double)y);
}

long double log1pl(long double x)
{
    return (long double)__model_log1p((double)x);
}

long double expm1l(long double x)
{
    return (long double)__model_expm1((double)x);
}

long double asinhl(long double x)
{
    return (long double)__model_asinh((double)x);
}

long double acoshl(long double x)
{
    return (long double)__model_acosh((double)x);
}

long double atanhl(long double x)
{
    return (long double)__model_atanh((double)x);
}

long double exp10l(long double x)
{
    return (long double)__model_exp10((double)x);
}

long double logbl(long double x)
{
    return (long double)__model_logb((double)x);
}

long double fmaxl(long double x, long double y)
{
    return (long double)__model_fmax((double)x, (double)y);
}

long double fminl(long double x, long double y)
{
    return (long double)__model_fmin((double)x, (double)y);
}

long double fdiml(long double x, long double y)
{
    return (long double)__model_fdim((double)x, (double)y);
}

long double remainderl(long double x, long double y)
{
    return (long double)__model_remainder((double)x, (double)y);
}

long double nearbyintl(long double x)
{
    return (long double)rint((double)x);
}

int ilogbl(long double x)
{
    return __model_ilogb((double)x);
}

long double frexpl(long double x, int *exponent)
{
    return (long double)__model_frexp((double)x, exponent);
}

long double ldexpl(long double x, int exponent)
{
    return (long double)__model_ldexp((double)x, exponent);
}

long double scalbnl(long double x, int exponent)
{
    return (long double)__model_ldexp((double)x, exponent);
}

long double modfl(long double x, long double *whole)
{
    double integral;
    double fraction = __model_modf((double)x, &integral);
    *whole = (long double)integral;
    return (long double)fraction;
}

long lroundl(long double x)
{
    return __model_to_long(round((double)x));
}

long lrintl(long double x)
{
    return __model_to_long(rint((double)x));
}

long long llroundl(long double x)
{
    return __model_to_long_long(round((double)x));
}

long long llrintl(long double x)
{
    return __model_to_long_long(rint((double)x));
}

long double nanl(const char *payload)
{
    return (long double)((1e308 * 10.0) * 0.0);
}

// --- the functions behind the classification macros ---

int isnan(double x)
{
    return __model_is_nan(x);
}

int __isnan(double x)
{
    return __model_is_nan(x);
}

int isnanf(float x)
{
    return __model_is_nan((double)x);
}

int __isnanf(float x)
{
    return __model_is_nan((double)x);
}

int isnanl(long double x)
{
    return __model_is_nan((double)x);
}

int __isnanl(long double x)
{
    return __model_is_nan((double)x);
}

int isinf(double x)
{
    return __model_is_inf(x);
}

int __isinf(double x)
{
    return __model_is_inf(x);
}

int isinff(float x)
{
    return __model_is_inf((double)x);
}

int __isinff(float x)
{
    return __model_is_inf((double)x);
}

int isinfl(long double x)
{
    return __model_is_inf((double)x);
}

int __isinfl(long double x)
{
    return __model_is_inf((double)x);
}

int finite(double x)
{
    return __model_is_finite(x);
}

int __finite(double x)
{
    return __model_is_finite(x);
}

int __finitef(float x)
{
    return __model_is_finite((double)x);
}

int __finitel(long double x)
{
    return __model_is_finite((double)x);
}

int __signbit(double x)
{
    return __model_signbit(x);
}

int __signbitf(float x)
{
    return __model_signbit((double)x);
}

int __signbitl(long double x)
{
    return __model_signbit((double)x);
}

int __fpclassify(double x)
{
    return __model_classify(x, 2.2250738585072014e-308);
}

int __fpclassifyf(float x)
{
    return __model_classify((double)x, 1.1754943508222875e-38);
}

int __fpclassifyl(long double x)
{
    return __model_classify((double)x, 2.2250738585072014e-308);
}
