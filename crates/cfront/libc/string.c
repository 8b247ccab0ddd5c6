// Models of <string.h> and <strings.h>. `memcpy`, `memmove` and `memset` are native.
//
// Every loop has one pure condition, so that a character costs one decision.

typedef unsigned long size_t;

void *malloc(size_t size);
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);

// --- helpers shared by the models; a program cannot redefine them ---

size_t __model_strlen(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t __model_strnlen(const char *s, size_t limit)
{
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

// Is `c` one of the characters of `set`? The terminating null is not.
int __model_is_one_of(char c, const char *set)
{
    size_t i = 0;
    while (set[i] && set[i] != c)
        i++;
    return set[i] != 0;
}

size_t __model_strspn(const char *s, const char *accept)
{
    size_t n = 0;
    while (s[n] && __model_is_one_of(s[n], accept))
        n++;
    return n;
}

size_t __model_strcspn(const char *s, const char *reject)
{
    size_t n = 0;
    while (s[n] && !__model_is_one_of(s[n], reject))
        n++;
    return n;
}

// A copy of the first `n` characters, with a null after them.
char *__model_copy_string(const char *s, size_t n)
{
    char *copy = malloc(n + 1);
    if (copy) {
        memcpy(copy, s, n);
        copy[n] = 0;
    }
    return copy;
}

int __model_lower(int c)
{
    return c + 32 * ((unsigned)c - 'A' < 26u);
}

// --- length, copy, append ---

size_t strlen(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t strnlen(const char *s, size_t limit)
{
    return __model_strnlen(s, limit);
}

char *__model_stpcpy(char *to, const char *from)
{
    size_t i = 0;
    while (from[i]) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    return to + i;
}

char *strcpy(char *to, const char *from)
{
    __model_stpcpy(to, from);
    return to;
}

char *stpcpy(char *to, const char *from)
{
    return __model_stpcpy(to, from);
}

char *__stpcpy(char *to, const char *from)
{
    return __model_stpcpy(to, from);
}

// Pads with nulls up to `n`; returns the first null written, or `to + n`.
char *__model_stpncpy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    while (i < n && from[i]) {
        to[i] = from[i];
        i++;
    }
    memset(to + i, 0, n - i);
    return to + i;
}

char *strncpy(char *to, const char *from, size_t n)
{
    __model_stpncpy(to, from, n);
    return to;
}

char *stpncpy(char *to, const char *from, size_t n)
{
    return __model_stpncpy(to, from, n);
}

char *strcat(char *to, const char *from)
{
    __model_stpcpy(to + __model_strlen(to), from);
    return to;
}

char *__model_strncat(char *to, const char *from, size_t n)
{
    char *end = to + __model_strlen(to);
    size_t i = 0;
    while (i < n && from[i]) {
        end[i] = from[i];
        i++;
    }
    end[i] = 0;
    return to;
}

char *strncat(char *to, const char *from, size_t n)
{
    return __model_strncat(to, from, n);
}

size_t strlcpy(char *to, const char *from, size_t size)
{
    size_t i = 0;
    while (i + 1 < size && from[i]) {
        to[i] = from[i];
        i++;
    }
    if (size > 0)
        to[i] = 0;
    return i + __model_strlen(from + i);
}

size_t strlcat(char *to, const char *from, size_t size)
{
    size_t start = __model_strnlen(to, size);
    size_t i = 0;
    while (start + i + 1 < size && from[i]) {
        to[start + i] = from[i];
        i++;
    }
    if (start < size)
        to[start + i] = 0;
    return start + i + __model_strlen(from + i);
}

char *strdup(const char *s)
{
    return __model_copy_string(s, __model_strlen(s));
}

char *__strdup(const char *s)
{
    return __model_copy_string(s, __model_strlen(s));
}

char *strndup(const char *s, size_t limit)
{
    return __model_copy_string(s, __model_strnlen(s, limit));
}

char *__strndup(const char *s, size_t limit)
{
    return __model_copy_string(s, __model_strnlen(s, limit));
}

// --- comparison: the difference of the first unequal bytes, as glibc on x86-64 returns it ---

int __model_strcmp(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    return (unsigned char)a[i] - (unsigned char)b[i];
}

int strcmp(const char *a, const char *b)
{
    return __model_strcmp(a, b);
}

// The locale is always "C", where collation is byte order.
int strcoll(const char *a, const char *b)
{
    return __model_strcmp(a, b);
}

size_t strxfrm(char *to, const char *from, size_t n)
{
    size_t length = __model_strlen(from);
    if (length < n)
        memcpy(to, from, length + 1);
    else
        memcpy(to, from, n);
    return length;
}

int strncmp(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] && a[i] == b[i])
        i++;
    return i < n ? (unsigned char)a[i] - (unsigned char)b[i] : 0;
}

int strcasecmp(const char *a, const char *b)
{
    size_t i = 0;
    int x = __model_lower((unsigned char)a[0]);
    int y = __model_lower((unsigned char)b[0]);
    while (x && x == y) {
        i++;
        x = __model_lower((unsigned char)a[i]);
        y = __model_lower((unsigned char)b[i]);
    }
    return x - y;
}

int strncasecmp(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    int x = 0;
    int y = 0;
    int more = n > 0;
    while (more) {
        x = __model_lower((unsigned char)a[i]);
        y = __model_lower((unsigned char)b[i]);
        i++;
        more = x && x == y && i < n;
    }
    return x - y;
}

int __model_memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a;
    const unsigned char *y = b;
    size_t i = 0;
    while (i < n && x[i] == y[i])
        i++;
    return i < n ? x[i] - y[i] : 0;
}

int memcmp(const void *a, const void *b, size_t n)
{
    return __model_memcmp(a, b, n);
}

int bcmp(const void *a, const void *b, size_t n)
{
    return __model_memcmp(a, b, n);
}

// --- search ---

char *__model_strchrnul(const char *s, int c)
{
    size_t i = 0;
    while (s[i] && s[i] != (char)c)
        i++;
    return (char *)s + i;
}

char *__model_strchr(const char *s, int c)
{
    char *found = __model_strchrnul(s, c);
    return *found == (char)c ? found : (char *)0;
}

char *__model_strrchr(const char *s, int c)
{
    size_t i = 0;
    const char *last = 0;
    while (s[i]) {
        last = s[i] == (char)c ? s + i : last;
        i++;
    }
    return (char *)((char)c == 0 ? s + i : last);
}

char *strchr(const char *s, int c)
{
    return __model_strchr(s, c);
}

char *index(const char *s, int c)
{
    return __model_strchr(s, c);
}

char *strchrnul(const char *s, int c)
{
    return __model_strchrnul(s, c);
}

char *strrchr(const char *s, int c)
{
    return __model_strrchr(s, c);
}

char *rindex(const char *s, int c)
{
    return __model_strrchr(s, c);
}

char *strstr(const char *s, const char *needle)
{
    size_t start = 0;
    size_t i = 0;
    while (s[start + i] && needle[i]) {
        if (s[start + i] == needle[i]) {
            i++;
        } else {
            start++;
            i = 0;
        }
    }
    return needle[i] ? (char *)0 : (char *)s + start;
}

char *strcasestr(const char *s, const char *needle)
{
    size_t start = 0;
    size_t i = 0;
    while (s[start + i] && needle[i]) {
        int x = __model_lower((unsigned char)s[start + i]);
        int y = __model_lower((unsigned char)needle[i]);
        if (x == y) {
            i++;
        } else {
            start++;
            i = 0;
        }
    }
    return needle[i] ? (char *)0 : (char *)s + start;
}

void *memmem(const void *block, size_t n, const void *needle, size_t m)
{
    const unsigned char *x = block;
    const unsigned char *y = needle;
    size_t start = 0;
    size_t i = 0;
    while (i < m && start + i < n) {
        if (x[start + i] == y[i]) {
            i++;
        } else {
            start++;
            i = 0;
        }
    }
    return i == m ? (void *)(x + start) : (void *)0;
}

size_t strspn(const char *s, const char *accept)
{
    return __model_strspn(s, accept);
}

size_t strcspn(const char *s, const char *reject)
{
    return __model_strcspn(s, reject);
}

char *strpbrk(const char *s, const char *accept)
{
    const char *found = s + __model_strcspn(s, accept);
    return *found ? (char *)found : (char *)0;
}

void *memchr(const void *block, int c, size_t n)
{
    const unsigned char *p = block;
    size_t i = 0;
    while (i < n && p[i] != (unsigned char)c)
        i++;
    return i < n ? (void *)(p + i) : (void *)0;
}

static void *__model_rawmemchr(const void *block, int c)
{
    const unsigned char *p = block;
    while (*p != (unsigned char)c)
        p++;
    return (void *)p;
}

void *rawmemchr(const void *block, int c)
{
    return __model_rawmemchr(block, c);
}

void *__rawmemchr(const void *block, int c)
{
    return __model_rawmemchr(block, c);
}

void *memrchr(const void *block, int c, size_t n)
{
    const unsigned char *p = block;
    while (n > 0 && p[n - 1] != (unsigned char)c)
        n--;
    return n > 0 ? (void *)(p + (n - 1)) : (void *)0;
}

// --- tokens ---

char *__model_strtok_r(char *s, const char *separators, char **rest)
{
    char *token = s ? s : *rest;
    char *end;
    // A first call with a null string and no saved state: glibc reads address 0; we answer "no token".
    if (!token)
        return 0;
    token += __model_strspn(token, separators);
    end = token + __model_strcspn(token, separators);
    *rest = *end ? end + 1 : end;
    if (end == token)
        return 0;
    *end = 0;
    return token;
}

static char *__model_strtok_rest;

char *strtok(char *s, const char *separators)
{
    return __model_strtok_r(s, separators, &__model_strtok_rest);
}

char *strtok_r(char *s, const char *separators, char **rest)
{
    return __model_strtok_r(s, separators, rest);
}

char *__strtok_r(char *s, const char *separators, char **rest)
{
    return __model_strtok_r(s, separators, rest);
}

char *strsep(char **rest, const char *separators)
{
    char *token = *rest;
    char *end;
    if (!token)
        return 0;
    end = token + __model_strcspn(token, separators);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = 0;
    }
    return token;
}

// --- blocks ---

void *mempcpy(void *to, const void *from, size_t n)
{
    memcpy(to, from, n);
    return (char *)to + n;
}

void *__mempcpy(void *to, const void *from, size_t n)
{
    memcpy(to, from, n);
    return (char *)to + n;
}

void *memccpy(void *to, const void *from, int c, size_t n)
{
    unsigned char *x = to;
    const unsigned char *y = from;
    size_t i = 0;
    while (i < n && y[i] != (unsigned char)c) {
        x[i] = y[i];
        i++;
    }
    if (i == n)
        return 0;
    x[i] = y[i];
    return x + i + 1;
}

void bzero(void *to, size_t n)
{
    memset(to, 0, n);
}

void explicit_bzero(void *to, size_t n)
{
    memset(to, 0, n);
}

void bcopy(const void *from, void *to, size_t n)
{
    memmove(to, from, n);
}
