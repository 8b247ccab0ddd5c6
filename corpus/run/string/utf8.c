/* UTF-8 encode, decode and validate by hand: bit packing with signed char inputs. */
#include <stdio.h>
#include <string.h>

static int enc(unsigned c, char *o)
{
    if (c < 0x80) { o[0] = c; return 1; }
    if (c < 0x800) { o[0] = 0xc0 | c >> 6; o[1] = 0x80 | c & 63; return 2; }
    if (c < 0x10000) { o[0] = 0xe0 | c >> 12; o[1] = 0x80 | c >> 6 & 63; o[2] = 0x80 | c & 63; return 3; }
    o[0] = 0xf0 | c >> 18; o[1] = 0x80 | c >> 12 & 63; o[2] = 0x80 | c >> 6 & 63; o[3] = 0x80 | c & 63;
    return 4;
}
static long dec(const char **p)
{
    const unsigned char *s = (const unsigned char *)*p; int n = *s < 0x80 ? 0 : *s >> 5 == 6 ? 1 : *s >> 4 == 14 ? 2 : *s >> 3 == 30 ? 3 : -1, i; long c;
    if (n < 0) { ++*p; return -1; }
    c = n ? *s & 0x3f >> n : *s;
    for (i = 1; i <= n; i++) { if (s[i] >> 6 != 2) { *p += i; return -1; } c = c << 6 | s[i] & 63; }
    *p += n + 1;
    return c;
}

int main(void)
{
    static const unsigned t[] = { 'A', 0x7f, 0x80, 0xe9, 0x7ff, 0x800, 0x20ac, 0xffff, 0x10000, 0x1f600, 0x10ffff };
    char buf[64] = ""; const char *p; int n = 0, i; unsigned k;
    for (k = 0; k < sizeof t / sizeof *t; k++) n += enc(t[k], buf + n);
    buf[n] = 0;
    printf("%d %zu\n", n, strlen(buf));
    for (i = 0; i < n; i++) printf("%02x", (unsigned char)buf[i]);
    printf("\n");
    for (p = buf; *p;) printf("%lx ", dec(&p));
    printf("\n");
    for (p = "ok\xff\xc3(\xe2\x82 z"; *p;) printf("%ld ", dec(&p));
    printf("\n");
    return n;
}
