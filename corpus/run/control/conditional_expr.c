/* ?: types and values: mixed signs, pointers and null, void operands, nesting, lvalue-like uses. */
#include <stdio.h>

static int n;
static void up(void) { n++; }
static void down(void) { n--; }
struct s { int a; };

int main(void)
{
    int i, x = 3, y = 4, *p, arr[2] = { 7, 8 };
    unsigned u = 1;
    struct s s1 = { 1 }, s2 = { 2 };
    const char *str;
    for (i = -1; i < 2; i++) printf("%s ", i < 0 ? "neg" : i ? "pos" : "zero");
    printf("\n%d\n", (1 ? -1 : u) > 0);
    printf("%d\n", (int)sizeof(1 ? 'a' : 1.0));
    printf("%g\n", x > y ? 1 : 2.5f);
    printf("%g\n", (x < y ? 1 : 2.5) / 2);
    *(x < y ? &x : &y) = 30;
    printf("%d %d\n", x, y);
    x > 5 ? up() : down(); x < 5 ? up() : (void)(n += 10);
    printf("%d\n", n);
    p = x ? arr : NULL; printf("%d\n", p[1]);
    p = y > 100 ? arr : 0; printf("%d\n", p == NULL);
    printf("%d\n", (x ? s1 : s2).a + (x ? s2 : s1).a * 10);
    printf("%d\n", (i ? up : down) == up);
    (i ? down : up)(); printf("%d\n", n);
    str = i == 2 ? "two" : "not"; printf("%c\n", str[0]);
    printf("%c\n", *(i == 1 ? "x" : "y"));
    x = i ? (y = 5, y * 2) : y--; printf("%d %d\n", x, y);
    printf("%d\n", i ? i - 2 ? 1 : 2 : 3);
    printf("%lld\n", (long long)(0 ? 1u : -1));
    printf("%lld\n", (long long)(0 ? 1L : -1));
    return x ? y ? 11 : 12 : 13;
}
