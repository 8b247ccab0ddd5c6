/* Struct assignment chains, self assignment, conditional struct values, comma struct values. */
#include <stdio.h>

struct v { int a[3]; double d; char t[4]; };

static void show(const char *n, struct v x) { printf("%s: %d %d %d %g %s\n", n, x.a[0], x.a[1], x.a[2], x.d, x.t); }

int main(void)
{
    struct v a = { { 1, 2, 3 }, 0.5, "one" }, b = { { 4, 5, 6 }, -1.5, "two" }, c, d, arr[3];
    int i;
    c = d = a;
    d.a[1] = 99;
    show("c", c); show("d", d);
    a = a;
    show("a", a);
    for (i = 0; i < 2; i++)
        show("cond", i ? a : b);
    show("comma", (i++, b));
    arr[0] = arr[1] = arr[2] = (i > 2 ? d : c);
    arr[1].t[0] = 'X';
    for (i = 0; i < 3; i++)
        show("arr", arr[i]);
    (c = b).a[0];
    show("c", c);
    printf("%d\n", (c = a).a[2] + (d = b, d).a[1]);
    { struct v t = a; a = b; b = t; }
    show("a", a); show("b", b);
    return a.a[0];
}
