/* Generic code over void pointers and byte sizes: swap, reverse, rotate, find, in several element types. */
#include <stdio.h>
#include <string.h>

static void swap(void *a, void *b, size_t n) { unsigned char *p = a, *q = b, t; while (n--) { t = *p; *p++ = *q; *q++ = t; } }
static void reverse(void *base, size_t n, size_t w) { char *lo = base, *hi = lo + (n - 1) * w; for (; lo < hi; lo += w, hi -= w) swap(lo, hi, w); }
static void rotate(void *base, size_t n, size_t w, size_t k) { reverse(base, k, w); reverse((char *)base + k * w, n - k, w); reverse(base, n, w); }
static long find(const void *base, size_t n, size_t w, const void *x)
{
    size_t i;
    for (i = 0; i < n; i++) if (!memcmp((const char *)base + i * w, x, w)) return (long)i;
    return -1;
}
struct p { short a, b; };

int main(void)
{
    int a[] = { 1, 2, 3, 4, 5, 6, 7 }, i, x = 6;
    double d[] = { 0.5, 1.5, 2.5 };
    struct p p[] = { { 1, 2 }, { 3, 4 }, { 5, 6 }, { 7, 8 } }, k = { 5, 6 };
    char s[] = "rotation";
    reverse(a, 7, sizeof *a); rotate(a, 7, sizeof *a, 2);
    for (i = 0; i < 7; i++) printf("%d ", a[i]);
    reverse(d, 3, sizeof *d); printf("%g %g %g ", d[0], d[1], d[2]);
    rotate(p, 4, sizeof *p, 3);
    for (i = 0; i < 4; i++) printf("%d%d ", p[i].a, p[i].b);
    rotate(s, 8, 1, 3);
    printf("%s %ld %ld\n", s, find(a, 7, sizeof *a, &x), find(p, 4, sizeof *p, &k));
    swap(&d[0], &d[2], sizeof *d); printf("%g\n", d[0]);
    return 0;
}
