/* _Static_assert at file scope, in blocks and in structs; constant expressions of many shapes. */
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

_Static_assert(sizeof(int) == 4, "int is 32 bits");
static_assert(CHAR_BIT == 8, "bytes");
struct s { char c; _Static_assert(sizeof(long) == 8, "LP64"); int i; };
enum { N = sizeof(struct s) * 2 + (1 ? 3 : 1 / 1), M = 'a' << 2 | (5 > 3), K = (int)3.9, Z = -1 < 0u ? 1 : 2 };
_Static_assert(N == 19 && K == 3, "constants");
static int arr[N > 10 ? N - 10 : 1];
static char buf[offsetof(struct s, i) + !0 + ~-3];
static const int table[] = { N, M, K, Z, sizeof arr, sizeof buf, (unsigned char)300, -7 / 2, -7 % 3, 1 << 4 >> 2, 3 && 0 || 2 };
static double half = 1 / 2 + 1 / 2.0;
static int *mid = &arr[4];
static char *end = buf + sizeof buf;
static long diff = (char *)&((struct s *)0)->i - (char *)0;

int main(void)
{
    _Static_assert(_Alignof(double) == 8, "");
    unsigned i;
    for (i = 0; i < sizeof table / sizeof *table; i++) printf("%d ", table[i]);
    printf("\n%g %td %td %ld\n", half, mid - arr, end - buf, diff);
    switch (N) { case sizeof(struct s) * 2 + 3: puts("match"); break; default: puts("miss"); }
    assert(half == 0.5);
    assert(arr[8] == 0 && "zero initialized");
    return K;
}
