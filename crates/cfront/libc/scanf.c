// Models of the scanf family: % d i u x X o p c s [ a e f g n %, with widths, `*`, `m`, `'` and the length modifiers.
//
// The reading follows glibc, also where the standard would have a failure: "0x" alone is read as 0 and "1e" as 1.
// Not modelled: numbered arguments (%1$d), which end the scan as an unknown directive does, and wide characters
// (%ls, %lc), which are read as bytes.

typedef unsigned long size_t;

struct _IO_FILE;

void *malloc(size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
void *memset(void *to, int byte, size_t n);
int __model_parse_double(const char *text, double *value, int *native);
int *__errno_location(void);
extern struct _IO_FILE *stdin;
int __model_getc(struct _IO_FILE *stream);
int __model_ungetc(int c, struct _IO_FILE *stream);
int __model_digit_value(int c);
int __model_lower(int c);

// Where the characters come from: a stream or, if that is null, a string.
struct __model_scan {
    struct _IO_FILE *stream;
    const char *text;
    size_t position;
    int n_read;
};

// How a conversion or a literal ended.
enum __model_scan_end {
    __MODEL_SCAN_NO_INPUT = -1,
    __MODEL_SCAN_MISMATCH = 0,
    __MODEL_SCAN_MATCH = 1
};

static int __model_scan_next(struct __model_scan *scan)
{
    int c;
    if (scan->stream) {
        c = __model_getc(scan->stream);
    } else {
        c = (unsigned char)scan->text[scan->position];
        c = c == 0 ? -1 : c;
        scan->position += c >= 0;
    }
    scan->n_read += c >= 0;
    return c;
}

static void __model_scan_back(struct __model_scan *scan, int c)
{
    if (c < 0)
        return;
    scan->n_read--;
    if (scan->stream)
        __model_ungetc(c, scan->stream);
    else
        scan->position--;
}

static int __model_scan_is_space(int c)
{
    return (c == ' ') | ((unsigned)c - '\t' < 5u);
}

static void __model_scan_skip_space(struct __model_scan *scan)
{
    int c = __model_scan_next(scan);
    while (__model_scan_is_space(c))
        c = __model_scan_next(scan);
    __model_scan_back(scan, c);
}

// Stores the low `size` bytes of an integer; a null place means that the conversion was suppressed.
static void __model_scan_store(void *to, size_t size, unsigned long long value)
{
    if (!to)
        return;
    if (size == 1)
        *(unsigned char *)to = (unsigned char)value;
    else if (size == 2)
        *(unsigned short *)to = (unsigned short)value;
    else if (size == 4)
        *(unsigned *)to = (unsigned)value;
    else
        *(unsigned long long *)to = value;
}

// A width below 0 is none. Values beyond the range of `long`, or of `long long` for 8-byte places, are clamped as
// `strtol` does, and then cut to the place.
static int __model_scan_integer(struct __model_scan *scan, int base, int is_signed, size_t size, int width, void *to)
{
    size_t computed = size > sizeof(long) ? size : sizeof(long);
    unsigned long long most = computed == 8 ? ~0ull : 0xffffffffull;
    unsigned long long limit;
    unsigned long long value = 0;
    int negative = 0;
    int overflow = 0;
    int n_digits = 0;
    int digit;
    int c = __model_scan_next(scan);

    if (c < 0)
        return __MODEL_SCAN_NO_INPUT;
    if (c == '-' || c == '+') {
        negative = c == '-';
        width -= width > 0;
        c = __model_scan_next(scan);
    }
    if (width != 0 && c == '0') {
        width -= width > 0;
        n_digits = 1;
        c = __model_scan_next(scan);
        if (width != 0 && (base == 0 || base == 16) && (c == 'x' || c == 'X')) {
            base = 16;
            width -= width > 0;
            c = __model_scan_next(scan);
        }
        base = base == 0 ? 8 : base;
    }
    base = base == 0 ? 10 : base;
    limit = is_signed ? most / 2 + (unsigned)negative : most;
    digit = __model_digit_value(c);
    while (width != 0 && digit < base) {
        overflow = overflow | (value > limit / (unsigned)base) | (value * (unsigned)base > limit - (unsigned)digit);
        value = value * (unsigned)base + (unsigned)digit;
        n_digits++;
        width -= width > 0;
        c = __model_scan_next(scan);
        digit = __model_digit_value(c);
    }
    __model_scan_back(scan, c);
    if (n_digits == 0)
        return __MODEL_SCAN_MISMATCH;
    if (overflow) {
        *__errno_location() = 34;
        value = limit;
        negative = negative && is_signed;
    }
    __model_scan_store(to, size, negative ? 0ull - value : value);
    return __MODEL_SCAN_MATCH;
}

// The text of a floating-point number. Beyond 1,000 characters the rest is read but not looked at.
struct __model_scan_digits {
    char text[1008];
    int n;
};

static void __model_scan_keep(struct __model_scan_digits *digits, int c)
{
    if (digits->n < 1000) {
        digits->text[digits->n] = (char)c;
        digits->n++;
    }
}

// Reads the rest of a word such as "inf", whose first letter is read already; `*width` is what is left of it.
static int __model_scan_word(struct __model_scan *scan, struct __model_scan_digits *digits, const char *rest,
                             int *width)
{
    int i = 0;
    while (rest[i]) {
        int c = *width == 0 ? -1 : __model_scan_next(scan);
        *width -= *width > 0;
        // Like glibc, which does not give the wrong letter back.
        if (__model_lower(c) != rest[i])
            return 0;
        __model_scan_keep(digits, c);
        i++;
    }
    return 1;
}

// Collects what may be a number, whether or not it is one to the last character.
static int __model_scan_collect(struct __model_scan *scan, struct __model_scan_digits *digits, int width)
{
    int has_digit = 0;
    int has_dot = 0;
    int has_exponent = 0;
    int after_exponent = 0;
    int base = 10;
    int n_signs = 0;
    int more = 1;
    int c = __model_scan_next(scan);

    digits->n = 0;
    if (c < 0)
        return __MODEL_SCAN_NO_INPUT;
    width -= width > 0;
    if (c == '-' || c == '+') {
        n_signs = 1;
        __model_scan_keep(digits, c);
        c = width == 0 ? -1 : __model_scan_next(scan);
        if (c < 0)
            return __MODEL_SCAN_MISMATCH;
        width -= width > 0;
    }
    if (c == 'n' || c == 'N') {
        __model_scan_keep(digits, c);
        return __model_scan_word(scan, digits, "an", &width);
    }
    if (c == 'i' || c == 'I') {
        __model_scan_keep(digits, c);
        if (!__model_scan_word(scan, digits, "nf", &width))
            return __MODEL_SCAN_MISMATCH;
        c = width == 0 ? -1 : __model_scan_next(scan);
        width -= width > 0;
        if (c == 'i' || c == 'I')
            return __model_scan_word(scan, digits, "nity", &width);
        __model_scan_back(scan, c);
        return __MODEL_SCAN_MATCH;
    }
    if (width != 0 && c == '0') {
        __model_scan_keep(digits, c);
        c = __model_scan_next(scan);
        width -= width > 0;
        if (width != 0 && (c == 'x' || c == 'X')) {
            base = 16;
            __model_scan_keep(digits, c);
            c = __model_scan_next(scan);
            width -= width > 0;
        } else {
            has_digit = 1;
        }
    }
    while (more && c >= 0) {
        int is_digit = __model_digit_value(c) < (has_exponent ? 10 : base);
        int is_exponent = has_digit && !has_exponent && __model_lower(c) == (base == 16 ? 'p' : 'e');
        int is_sign = after_exponent && (c == '-' || c == '+');
        int is_dot = c == '.' && !has_dot && !has_exponent;
        if (is_digit || is_exponent || is_sign || is_dot) {
            __model_scan_keep(digits, c);
            has_digit = has_digit || is_digit;
            has_dot = has_dot || is_dot;
            has_exponent = has_exponent || (is_exponent && !is_digit);
            after_exponent = is_exponent && !is_digit;
            more = width != 0;
            width -= width > 0;
            if (more)
                c = __model_scan_next(scan);
        } else {
            __model_scan_back(scan, c);
            more = 0;
        }
    }
    return digits->n == n_signs || (base == 16 && digits->n == n_signs + 2) ? __MODEL_SCAN_MISMATCH
                                                                            : __MODEL_SCAN_MATCH;
}

// `size` is 4, 8 or, for `long double` (read with the precision of `double`), 16.
static int __model_scan_float(struct __model_scan *scan, int size, int width, void *to)
{
    struct __model_scan_digits digits;
    double value = 0.0;
    int native;
    int end = __model_scan_collect(scan, &digits, width);
    if (end != __MODEL_SCAN_MATCH)
        return end;
    digits.text[digits.n] = 0;
    if (__model_parse_double(digits.text, &value, &native) == 0)
        return __MODEL_SCAN_MISMATCH;
    if (to) {
        if (size == 4)
            *(float *)to = (float)value;
        else if (size == 8)
            *(double *)to = value;
        else
            *(long double *)to = (long double)value;
    }
    return __MODEL_SCAN_MATCH;
}

// Which characters `%s` and `%[` take, as a table; returns the format after the set.
static const char *__model_scan_set(const char *format, char *table)
{
    int inverted = *format == '^';
    const char *p = format + inverted;
    int first = 1;
    memset(table, inverted, 256);
    while (*p && (first || *p != ']')) {
        int low = (unsigned char)p[0];
        int high = low;
        // A range has both its ends, in order; otherwise the dash stands for itself.
        if (p[1] == '-' && p[2] && p[2] != ']' && low <= (unsigned char)p[2]) {
            high = (unsigned char)p[2];
            p += 2;
        }
        while (low <= high) {
            table[low] = (char)!inverted;
            low++;
        }
        p++;
        first = 0;
    }
    return p;
}

// Reads at most `width` characters of the table into `to` or, if `owner` is given, into a block of its own.
// `%c` has no table and no terminator.
static int __model_scan_text(struct __model_scan *scan, const char *table, int width, char *to, char **owner)
{
    size_t capacity = 32;
    size_t n = 0;
    int c = __model_scan_next(scan);
    if (c < 0)
        return __MODEL_SCAN_NO_INPUT;
    if (owner) {
        to = malloc(capacity);
        if (!to)
            return __MODEL_SCAN_NO_INPUT;
    }
    while (c >= 0 && width != 0 && (!table || table[c])) {
        if (owner && n + 1 >= capacity) {
            char *block = realloc(to, 2 * capacity);
            if (!block) {
                free(to);
                return __MODEL_SCAN_NO_INPUT;
            }
            to = block;
            capacity = 2 * capacity;
        }
        if (to)
            to[n] = (char)c;
        n++;
        width -= width > 0;
        // The last character of the width is not followed by a look at the next.
        c = width == 0 ? -1 : __model_scan_next(scan);
    }
    __model_scan_back(scan, c);
    if (n == 0) {
        if (owner)
            free(to);
        return __MODEL_SCAN_MISMATCH;
    }
    if (to && table)
        to[n] = 0;
    if (owner)
        *owner = to;
    return __MODEL_SCAN_MATCH;
}

int __model_vscan(struct _IO_FILE *stream, const char *text, const char *format, __builtin_va_list arguments)
{
    struct __model_scan scan;
    char table[256];
    int n_stored = 0;
    int end = __MODEL_SCAN_MATCH;
    const char *p = format;

    scan.stream = stream;
    scan.text = text;
    scan.position = 0;
    scan.n_read = 0;
    while (*p && end == __MODEL_SCAN_MATCH) {
        if (__model_scan_is_space((unsigned char)*p)) {
            __model_scan_skip_space(&scan);
            p++;
        } else if (*p != '%') {
            int c = __model_scan_next(&scan);
            end = c < 0 ? __MODEL_SCAN_NO_INPUT : c == (unsigned char)*p ? __MODEL_SCAN_MATCH : __MODEL_SCAN_MISMATCH;
            if (end != __MODEL_SCAN_MATCH)
                __model_scan_back(&scan, c);
            p++;
        } else {
            int suppressed = 0;
            int owned = 0;
            int width = 0;
            size_t size = sizeof(int);
            int float_size = 4;
            int kind;
            void *to = 0;
            p++;
            while (*p == '*' || *p == '\'' || *p == 'I') {
                suppressed = suppressed || *p == '*';
                p++;
            }
            while (*p >= '0' && *p <= '9') {
                width = width < 100000000 ? 10 * width + (*p - '0') : width;
                p++;
            }
            if (*p == 'm') {
                owned = 1;
                p++;
            }
            if (p[0] == 'h' && p[1] == 'h') {
                size = 1;
                p += 2;
            } else if (p[0] == 'l' && p[1] == 'l') {
                size = sizeof(long long);
                float_size = 16;
                p += 2;
            } else if (*p == 'h') {
                size = sizeof(short);
                p++;
            } else if (*p == 'l') {
                size = sizeof(long);
                float_size = 8;
                p++;
            } else if (*p == 'L' || *p == 'q') {
                size = sizeof(long long);
                float_size = 16;
                p++;
            } else if (*p == 'j') {
                size = sizeof(long long);
                p++;
            } else if (*p == 'z' || *p == 't') {
                size = sizeof(long);
                p++;
            }
            kind = (unsigned char)*p;
            // The format is left at its last character, so that an incomplete directive ends the loop.
            p += kind != 0;
            width = width > 0 ? width : -1;
            if (kind != 'c' && kind != '[' && kind != 'n')
                __model_scan_skip_space(&scan);
            if (!suppressed && kind != '%' && kind != 0)
                to = __builtin_va_arg(arguments, void *);
            if (kind == 'd' || kind == 'i') {
                end = __model_scan_integer(&scan, kind == 'd' ? 10 : 0, 1, size, width, to);
            } else if (kind == 'u') {
                end = __model_scan_integer(&scan, 10, 0, size, width, to);
            } else if (kind == 'x' || kind == 'X') {
                end = __model_scan_integer(&scan, 16, 0, size, width, to);
            } else if (kind == 'o') {
                end = __model_scan_integer(&scan, 8, 0, size, width, to);
            } else if (kind == 'p') {
                end = __model_scan_integer(&scan, 16, 0, sizeof(void *), width, to);
            } else if (kind == 'f' || kind == 'e' || kind == 'g' || kind == 'a'
                       || kind == 'F' || kind == 'E' || kind == 'G' || kind == 'A') {
                end = __model_scan_float(&scan, float_size, width, to);
            } else if (kind == 's') {
                __model_scan_set("^ \t\n\v\f\r]", table);
                end = __model_scan_text(&scan, table, width, owned ? (char *)0 : to, owned ? to : (char **)0);
            } else if (kind == '[') {
                p = __model_scan_set(p, table);
                // A set without its closing bracket is a bad format.
                if (*p == ']') {
                    p++;
                    end = __model_scan_text(&scan, table, width, owned ? (char *)0 : to, owned ? to : (char **)0);
                } else {
                    end = __MODEL_SCAN_MISMATCH;
                }
            } else if (kind == 'c') {
                end = __model_scan_text(&scan, (const char *)0, width < 0 ? 1 : width,
                                        owned ? (char *)0 : to, owned ? to : (char **)0);
            } else if (kind == 'n') {
                __model_scan_store(to, size, (unsigned long long)(long long)scan.n_read);
                suppressed = 1;
            } else if (kind == '%') {
                int c = __model_scan_next(&scan);
                end = c < 0 ? __MODEL_SCAN_NO_INPUT : c == '%' ? __MODEL_SCAN_MATCH : __MODEL_SCAN_MISMATCH;
                if (end != __MODEL_SCAN_MATCH)
                    __model_scan_back(&scan, c);
                suppressed = 1;
            } else {
                end = __MODEL_SCAN_MISMATCH;
            }
            n_stored += end == __MODEL_SCAN_MATCH && !suppressed;
        }
    }
    return end == __MODEL_SCAN_NO_INPUT && n_stored == 0 ? -1 : n_stored;
}

int scanf(const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __model_vscan(stdin, (const char *)0, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int fscanf(struct _IO_FILE *stream, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __model_vscan(stream, (const char *)0, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int sscanf(const char *text, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __model_vscan((struct _IO_FILE *)0, text, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int vscanf(const char *format, __builtin_va_list arguments)
{
    return __model_vscan(stdin, (const char *)0, format, arguments);
}

int vfscanf(struct _IO_FILE *stream, const char *format, __builtin_va_list arguments)
{
    return __model_vscan(stream, (const char *)0, format, arguments);
}

int vsscanf(const char *text, const char *format, __builtin_va_list arguments)
{
    return __model_vscan((struct _IO_FILE *)0, text, format, arguments);
}

// glibc's headers give the family these names, by the standard that the program was compiled for.
int __isoc99_scanf(const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __model_vscan(stdin, (const char *)0, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __isoc99_fscanf(struct _IO_FILE *stream, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __model_vscan(stream, (const char *)0, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __isoc99_sscanf(const char *text, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __model_vscan((struct _IO_FILE *)0, text, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __isoc99_vscanf(const char *format, __builtin_va_list arguments)
{
    return __model_vscan(stdin, (const char *)0, format, arguments);
}

int __isoc99_vfscanf(struct _IO_FILE *stream, const char *format, __builtin_va_list arguments)
{
    return __model_vscan(stream, (const char *)0, format, arguments);
}

int __isoc99_vsscanf(const char *text, const char *format, __builtin_va_list arguments)
{
    return __model_vscan((struct _IO_FILE *)0, text, format, arguments);
}

int __isoc23_scanf(const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __model_vscan(stdin, (const char *)0, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __isoc23_fscanf(struct _IO_FILE *stream, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __model_vscan(stream, (const char *)0, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __isoc23_sscanf(const char *text, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __model_vscan((struct _IO_FILE *)0, text, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __isoc23_vscanf(const char *format, __builtin_va_list arguments)
{
    return __model_vscan(stdin, (const char *)0, format, arguments);
}

int __isoc23_vfscanf(struct _IO_FILE *stream, const char *format, __builtin_va_list arguments)
{
    return __model_vscan(stream, (const char *)0, format, arguments);
}

int __isoc23_vsscanf(const char *text, const char *format, __builtin_va_list arguments)
{
    return __model_vscan((struct _IO_FILE *)0, text, format, arguments);
}
