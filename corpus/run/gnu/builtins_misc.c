/* Other builtins: expect, constant_p, offsetof, types_compatible_p, choose_expr, unreachable, mem and str builtins. */
#include <stdio.h>
#include <stdlib.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
struct s { char c; double d; int a[4]; struct { short x, y; } n; };

static int sign(int x)
{
    if (x > 0) return 1;
    if (x < 0) return -1;
    if (x == 0) return 0;
    __builtin_unreachable();
}
static int pick(unsigned k) { switch (k & 3) { case 0: return 5; case 1: return 6; case 2: return 7; case 3: return 8; default: __builtin_unreachable(); } }

int main(void)
{
    char buf[16] = "abcdef";
    int n = 0, i;
    volatile int hidden = 3;
    for (i = 0; i < 10; i++) { if (unlikely(i == 7)) n += 100; if (likely(i & 1)) n++; }
    printf("%d %ld\n", n, __builtin_expect(42L, 0));
    printf("%d %d\n", __builtin_constant_p(3 * 4), __builtin_constant_p(hidden));
    printf("%zu %zu %zu\n", __builtin_offsetof(struct s, d), __builtin_offsetof(struct s, a[2]), __builtin_offsetof(struct s, n.y));
    printf("%d %d %d\n", __builtin_types_compatible_p(int, signed), __builtin_types_compatible_p(int, long), __builtin_types_compatible_p(int[], int[5]));
    printf("%d\n", __builtin_choose_expr(sizeof(int) == 4, 11, "text"));
    printf("%d %d %d\n", sign(5), sign(-5), sign(0));
    printf("%d %d\n", pick(2), pick(7));
    printf("%lu %d\n", __builtin_strlen(buf), __builtin_memcmp(buf, "abc", 3));
    __builtin_memset(buf, 'x', 3); __builtin_memcpy(buf + 3, "yz", 2);
    printf("%s %d %g\n", buf, __builtin_abs(-3), __builtin_fabs(-2.5));
    printf("%d %d\n", __builtin_strcmp("a", "a"), __builtin_isdigit('5') != 0);
    printf("%d %d\n", __builtin_inf() > 1e308, __builtin_isnan(__builtin_nan("")) != 0);
    __builtin_printf("printed %d\n", 5);
    { char *p = __builtin_alloca(10); __builtin_strcpy(p, "alloca"); puts(p); }
    if (n < 0) __builtin_trap();
    if (n < 0) abort();
    return 0;
}
