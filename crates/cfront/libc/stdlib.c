// Models of <stdlib.h>. `malloc`, `calloc`, `realloc`, `free` and `abort` are native.

typedef unsigned long size_t;

void *malloc(size_t size);
void *realloc(void *block, size_t size);
void *memcpy(void *to, const void *from, size_t n);
unsigned __idiolect_env_uint(const char *name);
int __idiolect_env_int(const char *name);
void __idiolect_exit(int status);
int __idiolect_parse_double(const char *text, double *value);
int *__errno_location(void);
int __model_lower(int c);

// --- integer arithmetic; the most negative number stays itself, as two's complement wraps ---

int abs(int x)
{
    return x < 0 ? -x : x;
}

long labs(long x)
{
    return x < 0 ? -x : x;
}

long long llabs(long long x)
{
    return x < 0 ? -x : x;
}

struct __model_div {
    int quot;
    int rem;
};

struct __model_ldiv {
    long quot;
    long rem;
};

struct __model_lldiv {
    long long quot;
    long long rem;
};

struct __model_div div(int x, int y)
{
    struct __model_div result;
    result.quot = x / y;
    result.rem = x % y;
    return result;
}

struct __model_ldiv ldiv(long x, long y)
{
    struct __model_ldiv result;
    result.quot = x / y;
    result.rem = x % y;
    return result;
}

struct __model_lldiv lldiv(long long x, long long y)
{
    struct __model_lldiv result;
    result.quot = x / y;
    result.rem = x % y;
    return result;
}

// --- numbers from text ---

static int __model_is_space(char c)
{
    return (c == ' ') | ((unsigned char)(c - '\t') < 5);
}

// The value of a digit in bases up to 36, or 36 for other characters.
int __model_digit_value(int c)
{
    return c >= '0' && c <= '9' ? c - '0'
         : c >= 'a' && c <= 'z' ? c - 'a' + 10
         : c >= 'A' && c <= 'Z' ? c - 'A' + 10
         : 36;
}

// The common part of the `strto` family. The magnitude is at most `most` or, after a minus sign, `most_negative`;
// beyond, it is clamped there and `errno` is ERANGE (34). Returns the magnitude and says whether a minus was read.
// `binary` permits the prefix 0b, as C23 does. A base out of range is EINVAL (22) and leaves `*end` alone, as in glibc.
static unsigned long long __model_parse_integer(const char *text, char **end, int base, int binary,
                                                unsigned long long most, unsigned long long most_negative,
                                                int *negative)
{
    size_t i = 0;
    size_t first;
    int prefix;
    unsigned long long limit;
    unsigned long long quotient;
    unsigned long long value = 0;
    int overflow = 0;
    int digit;

    *negative = 0;
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = 22;
        return 0;
    }
    while (__model_is_space(text[i]))
        i++;
    *negative = text[i] == '-';
    i += text[i] == '-' || text[i] == '+';
    // A prefix counts only when a digit follows it; otherwise its 0 is the number.
    prefix = (base == 0 || base == 16) && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X') ? 16
           : binary && (base == 0 || base == 2) && text[i] == '0' && (text[i + 1] == 'b' || text[i + 1] == 'B') ? 2
           : 0;
    if (prefix && __model_digit_value(text[i + 2]) < prefix) {
        i += 2;
        base = prefix;
    } else {
        base = base != 0 ? base : text[i] == '0' ? 8 : 10;
    }
    limit = *negative ? most_negative : most;
    quotient = limit / (unsigned long long)base;
    first = i;
    digit = __model_digit_value(text[i]);
    while (digit < base) {
        overflow = overflow | (value > quotient) | (value * (unsigned)base > limit - (unsigned)digit);
        value = value * (unsigned)base + (unsigned)digit;
        i++;
        digit = __model_digit_value(text[i]);
    }
    if (end)
        *end = (char *)(i == first ? text : text + i);
    if (overflow) {
        *__errno_location() = 34;
        value = limit;
        // The unsigned functions, whose two limits agree, do not negate a clamped value.
        *negative = *negative && most != most_negative;
    }
    return value;
}

long __model_strtol(const char *text, char **end, int base, int binary)
{
    unsigned long most = ~0ul >> 1;
    int negative;
    unsigned long value = (unsigned long)__model_parse_integer(text, end, base, binary, most, most + 1ul, &negative);
    return (long)(negative ? 0ul - value : value);
}

unsigned long __model_strtoul(const char *text, char **end, int base, int binary)
{
    unsigned long most = ~0ul;
    int negative;
    unsigned long value = (unsigned long)__model_parse_integer(text, end, base, binary, most, most, &negative);
    return negative ? 0ul - value : value;
}

long long __model_strtoll(const char *text, char **end, int base, int binary)
{
    unsigned long long most = ~0ull >> 1;
    int negative;
    unsigned long long value = __model_parse_integer(text, end, base, binary, most, most + 1ull, &negative);
    return (long long)(negative ? 0ull - value : value);
}

unsigned long long __model_strtoull(const char *text, char **end, int base, int binary)
{
    unsigned long long most = ~0ull;
    int negative;
    unsigned long long value = __model_parse_integer(text, end, base, binary, most, most, &negative);
    return negative ? 0ull - value : value;
}

long strtol(const char *text, char **end, int base)
{
    return __model_strtol(text, end, base, 0);
}

unsigned long strtoul(const char *text, char **end, int base)
{
    return __model_strtoul(text, end, base, 0);
}

long long strtoll(const char *text, char **end, int base)
{
    return __model_strtoll(text, end, base, 0);
}

unsigned long long strtoull(const char *text, char **end, int base)
{
    return __model_strtoull(text, end, base, 0);
}

long __isoc23_strtol(const char *text, char **end, int base)
{
    return __model_strtol(text, end, base, 1);
}

unsigned long __isoc23_strtoul(const char *text, char **end, int base)
{
    return __model_strtoul(text, end, base, 1);
}

long long __isoc23_strtoll(const char *text, char **end, int base)
{
    return __model_strtoll(text, end, base, 1);
}

unsigned long long __isoc23_strtoull(const char *text, char **end, int base)
{
    return __model_strtoull(text, end, base, 1);
}

// glibc's headers of some versions call these from their inline functions; digit groups do not exist in "C".
long __strtol_internal(const char *text, char **end, int base, int group)
{
    return __model_strtol(text, end, base, 0);
}

unsigned long __strtoul_internal(const char *text, char **end, int base, int group)
{
    return __model_strtoul(text, end, base, 0);
}

long long __strtoll_internal(const char *text, char **end, int base, int group)
{
    return __model_strtoll(text, end, base, 0);
}

unsigned long long __strtoull_internal(const char *text, char **end, int base, int group)
{
    return __model_strtoull(text, end, base, 0);
}

int atoi(const char *text)
{
    return (int)__model_strtol(text, (char **)0, 10, 0);
}

long atol(const char *text)
{
    return __model_strtol(text, (char **)0, 10, 0);
}

long long atoll(const char *text)
{
    return __model_strtoll(text, (char **)0, 10, 0);
}

static const double __model_powers_of_ten[23] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

static int __model_is_digit(int c)
{
    return (unsigned)c - '0' < 10u;
}

// How many of the letters of `word` the text begins with, in either case.
static int __model_same_letters(const char *text, const char *word)
{
    int i = 0;
    while (word[i] && __model_lower(text[i]) == word[i])
        i++;
    return i;
}

// The characters of `inf`, `infinity`, `nan` or `nan(...)`, or 0.
static int __model_number_word(const char *text)
{
    int i = __model_same_letters(text, "infinity");
    if (i >= 3)
        return i == 8 ? 8 : 3;
    if (__model_same_letters(text, "nan") < 3)
        return 0;
    i = 3;
    if (text[i] == '(') {
        i++;
        while (text[i] == '_' || __model_digit_value(text[i]) < 36)
            i++;
        if (text[i] == ')')
            return i + 1;
    }
    return 3;
}

// The characters of an exponent that begins with this letter, or 0; its value up to 100,000.
static int __model_exponent(const char *text, char letter, int *value)
{
    int negative;
    int n = 0;
    int i = 1;
    if (__model_lower(text[0]) != letter)
        return 0;
    negative = text[1] == '-';
    i += negative || text[1] == '+';
    if (!__model_is_digit(text[i]))
        return 0;
    while (__model_is_digit(text[i])) {
        n = n < 10000 ? 10 * n + (text[i] - '0') : n;
        i++;
    }
    *value = negative ? -n : n;
    return i;
}

// The characters of a hexadecimal number behind its `0x`, or 0.
static int __model_hexadecimal(const char *text)
{
    int n_digits = 0;
    int exponent;
    int i = 0;
    while (__model_digit_value(text[i]) < 16) {
        n_digits++;
        i++;
    }
    if (text[i] == '.') {
        i++;
        while (__model_digit_value(text[i]) < 16) {
            n_digits++;
            i++;
        }
    }
    return n_digits == 0 ? 0 : i + __model_exponent(text + i, 'p', &exponent);
}

// The number that a text begins with: how many characters it has, and its value. That is computed here where one
// operation on exact operands gives it (digits that make at most 2^53, times or divided by a power of ten up to
// 10^22), so that it can be reasoned about. Elsewhere it is computed natively, and `*native` is set.
int __model_parse_double(const char *text, double *value, int *native)
{
    unsigned long long digits = 0;
    double number;
    int negative = text[0] == '-';
    int i = negative || text[0] == '+';
    int start = i;
    int n_digits = 0;
    int scale = 0;
    int exponent = 0;
    int exact = 1;
    int used;

    *value = 0.0;
    *native = 0;
    if (text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X')) {
        used = __model_hexadecimal(text + i + 2);
        if (used > 0) {
            *native = 1;
            __idiolect_parse_double(text, value);
            return i + 2 + used;
        }
    }
    while (__model_is_digit(text[i])) {
        exact = exact & (digits < 1000000000000000000ull);
        digits = 10 * digits + (unsigned)(text[i] - '0');
        n_digits++;
        i++;
    }
    if (text[i] == '.') {
        i++;
        while (__model_is_digit(text[i])) {
            exact = exact & (digits < 1000000000000000000ull);
            digits = 10 * digits + (unsigned)(text[i] - '0');
            n_digits++;
            scale--;
            i++;
        }
    }
    if (n_digits == 0) {
        used = __model_number_word(text + start);
        if (used > 0) {
            *native = 1;
            __idiolect_parse_double(text, value);
        }
        return used == 0 ? 0 : start + used;
    }
    i += __model_exponent(text + i, 'e', &exponent);
    scale += exponent;
    if (exact && digits == 0) {
        *value = negative ? -0.0 : 0.0;
    } else if (exact && digits <= 1ull << 53 && scale >= -22 && scale <= 22) {
        number = (double)digits;
        number = scale < 0 ? number / __model_powers_of_ten[-scale] : number * __model_powers_of_ten[scale];
        *value = negative ? -number : number;
    } else {
        *native = 1;
        __idiolect_parse_double(text, value);
    }
    return i;
}

// ERANGE follows glibc for overflow and for results of 0 from a text that is not 0. Subnormal results count as
// out of range, which glibc says only of those that were rounded.
double __model_strtod(const char *text, char **end)
{
    double value = 0.0;
    size_t start = 0;
    size_t i;
    int native;
    int used;
    while (__model_is_space(text[start]))
        start++;
    used = __model_parse_double(text + start, &value, &native);
    if (end)
        *end = (char *)(used == 0 ? text : text + start + used);
    if (native && (value - value != 0.0 || (value < 2.2250738585072014e-308 && value > -2.2250738585072014e-308))) {
        // An infinity in words and a plain zero are in range: look for a digit of the significand other than 0.
        i = start + (text[start] == '-' || text[start] == '+');
        i += text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X') ? 2 : 0;
        while (text[i] == '0' || text[i] == '.')
            i++;
        if (i < start + (size_t)used && __model_digit_value(text[i]) < 16 && text[i] != 'e' && text[i] != 'E')
            *__errno_location() = 34;
    }
    return value;
}

double strtod(const char *text, char **end)
{
    return __model_strtod(text, end);
}

double __strtod_internal(const char *text, char **end, int group)
{
    return __model_strtod(text, end);
}

// The value is rounded twice, first to `double`; a text within 2^-54 of the middle of two floats may round wrongly.
float strtof(const char *text, char **end)
{
    double value = __model_strtod(text, end);
    float narrow = (float)value;
    if (value - value == 0.0 && narrow - narrow != 0.0f)
        *__errno_location() = 34;
    if (value != 0.0 && narrow < 1.17549435e-38f && narrow > -1.17549435e-38f)
        *__errno_location() = 34;
    return narrow;
}

// With the precision of `double`.
long double strtold(const char *text, char **end)
{
    return (long double)__model_strtod(text, end);
}

double atof(const char *text)
{
    return __model_strtod(text, (char **)0);
}

// --- sorting and searching ---

// glibc up to 2.36 sorts blocks that fit in memory by this merge sort. We make the same comparisons in the same
// order, so ties come out alike and so does what a comparison function prints.
static void __model_merge_sort(char *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
                               void *context, char *scratch)
{
    size_t n_left = n / 2;
    size_t n_right = n - n_left;
    char *left = base;
    char *right = base + n_left * size;
    char *to = scratch;
    if (n <= 1)
        return;
    __model_merge_sort(left, n_left, size, compare, context, scratch);
    __model_merge_sort(right, n_right, size, compare, context, scratch);
    while (n_left > 0 && n_right > 0) {
        if (compare(left, right, context) <= 0) {
            memcpy(to, left, size);
            left += size;
            n_left--;
        } else {
            memcpy(to, right, size);
            right += size;
            n_right--;
        }
        to += size;
    }
    // What is left on the right is in place already.
    memcpy(to, left, n_left * size);
    memcpy(base, scratch, (n - n_right) * size);
}

static int __model_compare_plainly(const void *a, const void *b, void *context)
{
    int (**compare)(const void *, const void *) = context;
    return (*compare)(a, b);
}

void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    // On the stack as in glibc, so that sorting leaves no trace in the heap.
    char scratch[n * size + 1];
    __model_merge_sort(base, n, size, __model_compare_plainly, &compare, scratch);
}

void qsort_r(void *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *), void *context)
{
    char scratch[n * size + 1];
    __model_merge_sort(base, n, size, compare, context, scratch);
}

void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    size_t low = 0;
    size_t high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

// --- random numbers: inputs, whatever the seed ---

// An input is cut to the range rather than assumed to be in it, so that random inputs seldom end a run for nothing.
int rand(void)
{
    return (int)(__idiolect_env_uint("rand") & 0x7fffffffu);
}

void srand(unsigned seed)
{
}

int rand_r(unsigned *seed)
{
    *seed = *seed + 1u;
    return (int)(__idiolect_env_uint("rand_r") & 0x7fffffffu);
}

long random(void)
{
    return (long)(__idiolect_env_uint("random") & 0x7fffffffu);
}

void srandom(unsigned seed)
{
}

long lrand48(void)
{
    return (long)(__idiolect_env_uint("lrand48") & 0x7fffffffu);
}

long mrand48(void)
{
    return (long)__idiolect_env_int("mrand48");
}

// 32 random bits as a fraction; the real one has 48.
double drand48(void)
{
    return (double)__idiolect_env_uint("drand48") / 4294967296.0;
}

void srand48(long seed)
{
}

// --- the end of the program and its surroundings ---

// 32 handlers is what C promises; glibc takes more, here `atexit` then fails.
static void (*__model_exit_handlers[32])(void);
static int __model_n_exit_handlers;

int atexit(void (*handler)(void))
{
    if (__model_n_exit_handlers >= 32)
        return -1;
    __model_exit_handlers[__model_n_exit_handlers] = handler;
    __model_n_exit_handlers++;
    return 0;
}

// A return from `main` is a call of `exit`: start-up code links this function when the program uses `atexit`.
void exit(int status)
{
    while (__model_n_exit_handlers > 0) {
        __model_n_exit_handlers--;
        __model_exit_handlers[__model_n_exit_handlers]();
    }
    __idiolect_exit(status);
}

void _Exit(int status)
{
    __idiolect_exit(status);
}

void quick_exit(int status)
{
    __idiolect_exit(status);
}

// Variables that are asked for by a name in the text are made by the start function. They keep their
// values, and nobody knows what changes do.
static int __idiolect_environment_changed;

void __idiolect_unchanged_environment(void)
{
    if (__idiolect_environment_changed)
        __idiolect_changed_environment();
}

char *getenv(const char *name)
{
    if (__idiolect_effect("getenv"))
        __idiolect_computed_variable();
    return 0;
}

char *secure_getenv(const char *name)
{
    return getenv(name);
}

int setenv(const char *name, const char *value, int overwrite)
{
    __idiolect_environment_changed = 1;
    return 0;
}

int putenv(char *setting)
{
    __idiolect_environment_changed = 1;
    return 0;
}

int unsetenv(const char *name)
{
    __idiolect_environment_changed = 1;
    return 0;
}

int clearenv(void)
{
    __idiolect_environment_changed = 1;
    return 0;
}

// The command is not run; its status is an input.
int system(const char *command)
{
    return __idiolect_env_int("system");
}

// --- memory; alignment is no property of the modelled heap, whose blocks suit every type ---

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *block;
    if (alignment < sizeof(void *) || (alignment & (alignment - 1ul)) != 0)
        return 22;
    block = malloc(size);
    if (!block)
        return 12;
    *out = block;
    return 0;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return malloc(size);
}

void *memalign(size_t alignment, size_t size)
{
    return malloc(size);
}

void *valloc(size_t size)
{
    return malloc(size);
}

void *reallocarray(void *block, size_t n, size_t size)
{
    if (size != 0 && n > ~0ul / size) {
        *__errno_location() = 12;
        return 0;
    }
    return realloc(block, n * size);
}
