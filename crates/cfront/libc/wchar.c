// Models of a little of <wchar.h> and <wctype.h>, and of <stdlib.h>'s multibyte functions, in the "C" locale:
// characters 0 to 127 are single bytes, all others cannot be converted (EILSEQ, 84). `wchar_t` is `int`, `wint_t` is
// `unsigned`, as on Linux.

typedef unsigned long size_t;
typedef int wchar_t;

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
int *__errno_location(void);

static size_t __model_wcslen(const wchar_t *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t wcslen(const wchar_t *s)
{
    return __model_wcslen(s);
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from)
{
    memcpy(to, from, (__model_wcslen(from) + 1) * sizeof(wchar_t));
    return to;
}

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t n)
{
    size_t i = 0;
    while (i < n && from[i]) {
        to[i] = from[i];
        i++;
    }
    while (i < n) {
        to[i] = 0;
        i++;
    }
    return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from)
{
    memcpy(to + __model_wcslen(to), from, (__model_wcslen(from) + 1) * sizeof(wchar_t));
    return to;
}

int wcscmp(const wchar_t *a, const wchar_t *b)
{
    size_t i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    return (a[i] > b[i]) - (a[i] < b[i]);
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] && a[i] == b[i])
        i++;
    return i < n ? (a[i] > b[i]) - (a[i] < b[i]) : 0;
}

wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
    size_t i = 0;
    while (s[i] && s[i] != c)
        i++;
    return s[i] == c ? (wchar_t *)s + i : (wchar_t *)0;
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
    size_t i = 0;
    const wchar_t *last = 0;
    while (s[i]) {
        last = s[i] == c ? s + i : last;
        i++;
    }
    return (wchar_t *)(c == 0 ? s + i : last);
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n)
{
    memcpy(to, from, n * sizeof(wchar_t));
    return to;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
    memmove(to, from, n * sizeof(wchar_t));
    return to;
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n)
{
    size_t i = 0;
    while (i < n) {
        to[i] = c;
        i++;
    }
    return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] == b[i])
        i++;
    return i < n ? (a[i] > b[i]) - (a[i] < b[i]) : 0;
}

// --- conversion ---

int mblen(const char *s, size_t n)
{
    return !s || *s == 0 ? 0 : n == 0 || (unsigned char)*s > 127 ? -1 : 1;
}

int mbtowc(wchar_t *to, const char *s, size_t n)
{
    if (!s)
        return 0;
    // An empty string is recognized whatever `n`, as in glibc.
    if (*s != 0 && (n == 0 || (unsigned char)*s > 127)) {
        *__errno_location() = 84;
        return -1;
    }
    if (to)
        *to = *s;
    return *s != 0;
}

int wctomb(char *to, wchar_t c)
{
    if (!to)
        return 0;
    if ((unsigned)c > 127u) {
        *__errno_location() = 84;
        return -1;
    }
    *to = (char)c;
    return 1;
}

size_t mbstowcs(wchar_t *to, const char *from, size_t n)
{
    size_t i = 0;
    while ((!to || i < n) && from[i] && (unsigned char)from[i] <= 127) {
        if (to)
            to[i] = from[i];
        i++;
    }
    if (to && i == n)
        return i;
    if (from[i]) {
        *__errno_location() = 84;
        return ~0ul;
    }
    if (to)
        to[i] = 0;
    return i;
}

size_t wcstombs(char *to, const wchar_t *from, size_t n)
{
    size_t i = 0;
    while ((!to || i < n) && from[i] && (unsigned)from[i] <= 127u) {
        if (to)
            to[i] = (char)from[i];
        i++;
    }
    if (to && i == n)
        return i;
    if (from[i]) {
        *__errno_location() = 84;
        return ~0ul;
    }
    if (to)
        to[i] = 0;
    return i;
}

unsigned btowc(int c)
{
    return (unsigned)c <= 127u ? (unsigned)c : ~0u;
}

int wctob(unsigned c)
{
    return c <= 127u ? (int)c : -1;
}

// --- classes; nonzero or 0, without glibc's values ---

int iswalpha(unsigned c)
{
    return (c | 32u) - 'a' < 26u;
}

int iswdigit(unsigned c)
{
    return c - '0' < 10u;
}

int iswalnum(unsigned c)
{
    return ((c | 32u) - 'a' < 26u) | (c - '0' < 10u);
}

int iswspace(unsigned c)
{
    return (c == ' ') | (c - '\t' < 5u);
}

int iswupper(unsigned c)
{
    return c - 'A' < 26u;
}

int iswlower(unsigned c)
{
    return c - 'a' < 26u;
}

int iswpunct(unsigned c)
{
    return (c - '!' < 94u) & !(((c | 32u) - 'a' < 26u) | (c - '0' < 10u));
}

int iswprint(unsigned c)
{
    return c - ' ' < 95u;
}

unsigned towlower(unsigned c)
{
    return c + 32u * (c - 'A' < 26u);
}

unsigned towupper(unsigned c)
{
    return c - 32u * (c - 'a' < 26u);
}
