/* assert with true conditions, side-effect-free, in expressions; abs family; NDEBUG variant by hand. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int isqrt(int n)
{
    int r = 0;
    assert(n >= 0);
    while ((r + 1) * (r + 1) <= n) r++;
    assert(r * r <= n && n < (r + 1) * (r + 1));
    return r;
}

int main(void)
{
    int i, a[5] = { 5, 3, 1, 4, 2 }, j, t;
    for (i = 0; i < 200; i += 13) printf("%d ", isqrt(i));
    printf("\n");
    for (i = 0; i < 5; i++)
        for (j = 0; j + 1 < 5 - i; j++)
            if (a[j] > a[j + 1]) { t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
    for (i = 0; i < 4; i++) assert(a[i] < a[i + 1]);
    assert(a != NULL), assert(*a == 1);
    if (i) assert("non-null pointer is true");
    else assert(!"unreachable");
    printf("%d %ld %lld\n", abs(-4), labs(-4L), llabs(4LL));
    return isqrt(50);
}
