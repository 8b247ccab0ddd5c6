/* sscanf: conversions, widths, suppression, scan sets, literal matching, %n, return values. */
#include <stdio.h>

int main(void)
{
    int a = -1, b = -1, n, k = 0;
    unsigned u; long l; short h; float f; double d; char c, s[16], t[16]; signed char hh;
    n = sscanf("12 34", "%d%d", &a, &b); printf("%d %d %d\n", n, a, b);
    n = sscanf("0x1f 017 ff", "%i %i %x", &a, &b, &u); printf("%d %d %d %u\n", n, a, b, u);
    n = sscanf("12abc", "%d%s", &a, s); printf("%d %d %s\n", n, a, s);
    n = sscanf("123456", "%3d%2d", &a, &b); printf("%d %d %d\n", n, a, b);
    n = sscanf("10:20", "%d:%d%n", &a, &b, &k); printf("%d %d %d %d\n", n, a, b, k);
    n = sscanf("10-20", "%d:%d", &a, &b); printf("%d %d\n", n, a);
    n = sscanf("", "%d", &a); printf("%d\n", n);
    n = sscanf("abc", "%d", &a); printf("%d\n", n);
    n = sscanf(" x y", "%c %c", &c, s); printf("%d '%c' %c\n", n, c, s[0]);
    n = sscanf("key = value", "%15[a-z] = %15s", s, t); printf("%d %s %s\n", n, s, t);
    n = sscanf("skip 99 me", "%*s %d %*s", &a); printf("%d %d\n", n, a);
    n = sscanf("3.5 -2e3 7", "%f %lf %ld", &f, &d, &l); printf("%d %g %g %ld\n", n, f, d, l);
    n = sscanf("a,b;c", "%[^,],%[^;];%c", s, t, &c); printf("%d %s %s %c\n", n, s, t, c);
    n = sscanf("-700 -30", "%hd %hhd", &h, &hh); printf("%d %d %d\n", n, h, hh);
    n = sscanf("50%", "%d%%%n", &a, &k); printf("%d %d %d\n", n, a, k);
    n = sscanf("abcdef", "%3s%n", s, &k); printf("%d %s %d\n", n, s, k);
    n = sscanf("777", "%o", &u); printf("%d %u\n", n, u);
    return 0;
}
