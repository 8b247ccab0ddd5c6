/* Varargs: ints, doubles, pointers, promoted small types, va_copy, passing a va_list on. */
#include <stdarg.h>
#include <stdio.h>

static int sum(int n, ...)
{
    va_list ap; int s = 0;
    va_start(ap, n);
    while (n--) s += va_arg(ap, int);
    va_end(ap);
    return s;
}
static double mixed(const char *f, ...)
{
    va_list ap; double s = 0;
    va_start(ap, f);
    for (; *f; f++)
        switch (*f) {
        case 'i': s += va_arg(ap, int); break;
        case 'd': s += va_arg(ap, double); break;
        case 'l': s += va_arg(ap, long); break;
        case 's': { const char *p = va_arg(ap, char *); while (*p) s += *p++ - '0'; break; }
        case 'p': s += *va_arg(ap, int *); break;
        }
    va_end(ap);
    return s;
}
static int vcount(const char *stop, va_list ap) { int n = 0; const char *p; while ((p = va_arg(ap, const char *)) != stop) n++; return n; }
static int twice(const char *stop, ...)
{
    va_list a, b; int n;
    va_start(a, stop); va_copy(b, a);
    n = vcount(stop, a) * 10 + vcount(stop, b);
    va_end(b); va_end(a);
    return n;
}
static void report(const char *fmt, ...)
{
    char buf[64]; va_list ap;
    va_start(ap, fmt);
    vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    printf("[%s]\n", buf);
}
struct big { int a, b, c; };
static int structs(int n, ...)
{
    va_list ap; int s = 0;
    va_start(ap, n);
    while (n--) { struct big b = va_arg(ap, struct big); s += b.a * 100 + b.b * 10 + b.c; }
    va_end(ap);
    return s;
}

int main(void)
{
    char c = 'A'; short sh = -5; float f = 0.5f; int x = 1000; _Bool b = 1;
    struct big g = { 1, 2, 3 };
    printf("%d %d %d\n", sum(0), sum(3, 1, 2, 3), sum(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    printf("%g\n", mixed("idilsp", c, (double)f, sh, 5000000000L, "123", &x));
    printf("%g\n", mixed("dddddddddd", f, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0));
    printf("%d\n", twice(NULL, "a", "b", "c", (char *)NULL));
    report("%d-%s-%c-%5.2f", x, "str", c, f);
    report("%*d|%-*d|", 5, 42, 5, 43);
    printf("%d %d\n", structs(2, g, (struct big){ 4, 5, 6 }), sum(2, b, c));
    return 0;
}
