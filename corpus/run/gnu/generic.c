/* _Generic selection: exact types, promotions, default, pointers, qualifiers dropped, dispatch. */
#include <stdio.h>

static const char *show_i(int x) { return x > 0 ? "int+" : "int-"; }
static const char *show_d(double x) { return x > 0 ? "dbl+" : "dbl-"; }
#define show(x) _Generic((x), int: show_i, double: show_d, float: show_d)(x)
#define kind(x) _Generic((x), int *: 1, const int *: 2, char *: 3, void *: 4, int (*)(int): 5, default: 0)
#define fmt(x) _Generic((x), char: "%c\n", int: "%d\n", unsigned: "%uu\n", double: "%.2f\n", char *: "%s\n", const char *: "<%s>\n")
static int sq(int x) { return x * x; }

int main(void)
{
    int i = 1, a[3], *const cp = &i, evaluated = 0;
    const int ci = 2;
    char c = 'c';
    const char *s = "str";
    printf("%s %s %s\n", show(3), show(-2.0), show(1.f));
    printf("%d %d %d %d %d %d\n", kind(&i), kind(&ci), kind(a), kind(cp), kind((void *)0), kind(1.0));
    printf("%d %d\n", kind(sq), kind("lit"));
    printf(fmt(c), c); printf(fmt('c'), 'c'); printf(fmt(3u), 3u); printf(fmt(2.5), 2.5); printf(fmt("x"), "x"); printf(fmt(s), s);
    printf("%d\n", _Generic(ci, int: 10, const int: 20));
    printf("%d %d\n", _Generic(evaluated++, int: 7, default: 8), evaluated);
    printf("%d\n", _Generic(c + c, char: 1, int: 2));
    printf("%d\n", _Generic((short)1, int: 1, short: 2, default: 3));
    _Generic(i, int: i, default: c) = 50;
    printf("%d %c\n", i, c);
    return _Generic(1L, long: _Generic(1u, unsigned: 42, default: 1), default: 2);
}
