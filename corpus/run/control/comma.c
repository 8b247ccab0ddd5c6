/* The comma operator: sequencing, value and type, in for headers, conditions, indices, arguments. */
#include <stdio.h>

static int id(int x) { return x; }

int main(void)
{
    int a = 1, b = 2, t, i, j, arr[4] = { 10, 20, 30, 40 };
    t = (a++, b += a, a * b); printf("%d %d %d\n", a, b, t);
    t = a, b = 9; printf("%d %d\n", t, b);
    for (i = 0, j = 3; t = arr[i] + arr[j], i < j; i++, j--) printf("%d ", t);
    printf("%d %d\n", i, j);
    while (a--, a > 0) printf("a%d ", a);
    printf("%d\n", a);
    printf("%d\n", arr[a = 2, a + 1]);
    printf("%d %d\n", id((a, b)), (a = 5, a + 1));
    printf("%zu\n", sizeof((char)1, 2L));
    if (b = 0, a) puts("taken");
    do t--; while (a -= 2, a > 0);
    printf("%d %d\n", t, a);
    return (a = 3, b = 4, a * b);
}
