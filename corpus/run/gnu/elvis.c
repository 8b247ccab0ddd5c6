/* x ?: y evaluates x once; with pointers, floats, nesting and side effects. */
#include <stdio.h>

static int n;
static int tick(int v) { n++; return v; }
static const char *name(const char *s) { return s ?: "(none)"; }

int main(void)
{
    int x = 0, a[3] = { 0, 0, 5 }, *p = a;
    double d = 0.0;
    printf("%d\n", tick(4) ?: tick(5)); printf("%d\n", n);
    n = 0;
    printf("%d\n", tick(0) ?: tick(6)); printf("%d\n", n);
    printf("%s %s\n", name("x"), name(NULL));
    printf("%g %g\n", d ?: 1.5, 0.25 ?: 7.0);
    printf("%d\n", x ?: a[1] ?: a[2] ?: 9);
    printf("%d\n", x++ ?: 100); printf("%d\n", x);
    printf("%d\n", x++ ?: 100); printf("%d\n", x);
    while (p < a + 3 && !(*p++ ?: 0)) ;
    printf("%td\n", p - a);
    printf("%d\n", (x - 2 ?: -1) < 0u);
    return (x > 1 ?: 50) + 1;
}
