/* Operands of sizeof, typeof and _Alignof are not evaluated; sizes of expressions of many types. */
#include <stdio.h>

static int calls;
static long f(void) { calls++; return 1; }
struct s { char a; int b[3]; short c : 4; };

int main(void)
{
    int i = 0, a[10], *p = a; char c = 0; double d = 0;
    struct s s;
    printf("%zu %zu %zu\n", sizeof i++, sizeof f(), sizeof(i = 5));
    printf("%d %d\n", i, calls);
    printf("%zu %zu %zu %zu\n", sizeof a, sizeof &a, sizeof *a, sizeof(a + 0));
    printf("%zu %zu %zu\n", sizeof &a[0], sizeof p[100], sizeof *p);
    printf("%zu %zu %zu %zu\n", sizeof(c + c), sizeof(c), sizeof(c, i), sizeof(c ? c : c));
    printf("%zu %zu %zu\n", sizeof(c * d), sizeof(i ? 1 : 2.0), sizeof(1 ? 1L : 1));
    printf("%zu %zu %zu\n", sizeof s, sizeof s.b, sizeof((struct s *)0)->b[1]);
    printf("%zu %zu\n", sizeof "abc", sizeof("abc" + 1));
    printf("%zu %zu\n", sizeof(int (*)[5]), sizeof(int *[5]));
    printf("%zu %zu\n", sizeof(1 == 1), sizeof(!d));
    printf("%zu\n", sizeof sizeof 1);
    printf("%zu %zu\n", sizeof(char) * 3 + 1, sizeof(struct { int a; struct { char b[3]; } c; }));
    printf("%zu\n", sizeof(int) - 5 > 0 ? sizeof(short) : 0);
    { __typeof__(f()) z = 3; printf("%zu %ld %d\n", sizeof z, z, calls); }
    return calls;
}
