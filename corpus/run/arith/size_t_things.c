/* size_t and ptrdiff_t: unsigned underflow, sizeof arithmetic, loops counting down. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static size_t find(const int *a, size_t n, int x)
{
    size_t i;
    for (i = n; i-- > 0;)
        if (a[i] == x)
            return i;
    return (size_t)-1;
}

int main(void)
{
    int a[] = { 4, 8, 15, 16, 23, 42 };
    size_t n = COUNT(a), zero = 0, k;
    ptrdiff_t d;
    int i = -1;
    printf("%zu %zu %zu\n", n, find(a, n, 15), find(a, n, 42));
    printf("%d\n", find(a, n, 7) == (size_t)-1);
    printf("%zu\n", zero - 1);
    printf("%d\n", zero - 1 > n);
    printf("%d\n", i < n);
    printf("%d\n", i < (int)n);
    printf("%d\n", strlen("abc") - strlen("abcd") > 0);
    d = &a[1] - &a[5];
    printf("%td %ld\n", d, (long)d * (long)sizeof a[0]);
    printf("%zu %zu\n", sizeof d, sizeof(size_t));
    for (k = n - 1; k < n; k--)
        printf("%d ", a[k]);
    printf("\n");
    printf("%zu\n", sizeof(char[3][5]) * 2 + sizeof "hello");
    printf("%zu\n", sizeof(struct { char c; long l; }));
    printf("%zd\n", (ptrdiff_t)(n - 10));
    return (int)(sizeof a % 7);
}
