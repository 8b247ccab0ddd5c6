/* A small printf written with va_arg: %d %u %x %s %c %l, widths, and forwarding va_list by pointer. */
#include <stdarg.h>
#include <stdio.h>

static int out(const char *s, int n) { int i; for (i = 0; i < n; i++) putchar(s[i]); return n; }
static int number(unsigned long v, int base, int neg, int width)
{
    char b[32]; int p = 32;
    do b[--p] = "0123456789abcdef"[v % base]; while (v /= base);
    if (neg) b[--p] = '-';
    while (32 - p < width) b[--p] = ' ';
    return out(b + p, 32 - p);
}
static int one(char c, int lng, int width, va_list *ap)
{
    long v; const char *s; char ch; int n;
    switch (c) {
    case 'd': v = lng ? va_arg(*ap, long) : va_arg(*ap, int); return number(v < 0 ? -(unsigned long)v : (unsigned long)v, 10, v < 0, width);
    case 'u': return number(lng ? va_arg(*ap, unsigned long) : va_arg(*ap, unsigned), 10, 0, width);
    case 'x': return number(lng ? va_arg(*ap, unsigned long) : va_arg(*ap, unsigned), 16, 0, width);
    case 's': s = va_arg(*ap, const char *); for (n = 0; s[n]; n++) ; return out(s, n);
    case 'c': ch = va_arg(*ap, int); return out(&ch, 1);
    case 'g': v = (long)(va_arg(*ap, double) * 100); return number(v, 10, 0, width);
    default: return out(&c, 1);
    }
}
static int myprintf(const char *f, ...)
{
    va_list ap; int n = 0;
    va_start(ap, f);
    for (; *f; f++)
        if (*f != '%') n += out(f, 1);
        else { int w = 0, l = 0; while (*++f >= '0' && *f <= '9') w = w * 10 + *f - '0'; if (*f == 'l') { l = 1; f++; } n += one(*f, l, w, &ap); }
    va_end(ap);
    return n;
}

int main(void)
{
    int n = myprintf("%d %5d %u %x %s%c%%\n", -42, 7, 4000000000u, 255, "str", '!');
    n += myprintf("%ld %lx %lu\n", -9223372036854775807L - 1, -1L, 1ul << 63);
    n += myprintf("%g %d %g %s %12d|\n", 1.25, 3, 2.5, "mixed", -123);
    n += myprintf("%d%d%d%d%d%d%d%d%d%d\n", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    myprintf("%d\n", n);
    return n & 0x7f;
}
