/* Static locals keep values between calls, one per function, initialized once, also in recursion. */
#include <stdio.h>

static int counter(void) { static int n = 10; return n++; }
static int *cell(void) { static int v[3] = { 1, 2, 3 }; return v; }
static int fact_calls(int n) { static int calls; calls++; if (n > 1) fact_calls(n - 1); return calls; }
static const char *name(int i)
{
    static const char *const names[] = { "zero", "one", "two" };
    static char buf[8];
    if (i < 3) return names[i];
    snprintf(buf, sizeof buf, "#%d", i);
    return buf;
}
static int two(int which)
{
    if (which) { static int n = 100; return n++; }
    else { static int n = 200; return n++; }
}
static unsigned rnd(void) { static unsigned s = 1; return s = s * 69069u + 1; }

int main(void)
{
    int i, *p;
    for (i = 0; i < 3; i++) printf("%d ", counter());
    cell()[1] = 50; p = cell(); p[2]++;
    printf("%d %d %d\n", cell()[0], cell()[1], cell()[2]);
    printf("%d ", fact_calls(4)); printf("%d\n", fact_calls(3));
    for (i = 0; i < 5; i++) printf("%s ", name(i));
    printf("\n%d ", two(0)); printf("%d ", two(1)); printf("%d ", two(0)); printf("%d\n", two(1));
    for (i = 0; i < 4; i++) printf("%u ", rnd());
    printf("\n");
    for (i = 0; i < 3; i++) { static int k; int j = 0; k++; j++; printf("%d%d ", k, j); }
    printf("\n");
    return counter();
}
