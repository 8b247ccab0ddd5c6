/* Assignments inside conditions and arguments, chained assignments with narrowing, swaps without temporaries. */
#include <stdio.h>
#include <string.h>

static int src[] = { 3, 1, 4, 0, 9 }, at;
static int next(void) { return src[at++]; }

int main(void)
{
    int x, y, n = 0; char c; unsigned char uc; float f; long l; const char *p, *s = "copy me"; char buf[16], *d = buf;
    while ((x = next())) n = n * 10 + x;
    printf("%d %d\n", n, at);
    if ((x = 5) > 3 && (y = x * 2) != 9) printf("%d %d\n", x, y);
    l = x = c = 1000; printf("%ld %d %d\n", l, x, c);
    x = f = 2.75; printf("%d %g\n", x, f);
    f = x = 2.75; printf("%d %g\n", x, f);
    l = uc = -1; printf("%ld\n", l);
    while ((*d++ = *s++)) ;
    printf("%s %td\n", buf, d - buf);
    if (!(p = strchr(buf, 'z'))) puts("no z");
    if ((p = strchr(buf, 'm')) != NULL) puts(p);
    x = 3; y = 8; x ^= y; y ^= x; x ^= y; printf("%d %d\n", x, y);
    x = x + y; y = x - y; x = x - y; printf("%d %d\n", x, y);
    if (x = 0) puts("not taken"); else puts("assigned zero");
    for (x = 0, n = 1; (n *= 2) < 100; ) x++;
    printf("%d %d\n", x, n);
    switch (x = n / 16) { case 8: puts("eight"); }
    printf("%d\n", (x = 4, y = x++ * 2, x + y));
    return y = x = 21;
}
