/* Array parameters are pointers: sizeof, modification, static and qualifiers in brackets. */
#include <stdio.h>

static size_t psize(int a[10]) { return sizeof a; }
static void bump(int a[static 2]) { a[0]++; a++; a[0] += 10; }
static int last(const int a[const], int n) { return a[n - 1]; }
static int apply(int f(int), int x) { return f(x); }
static int sq(int x) { return x * x; }
static int max2(int m[2][2]) { return m[0][0] > m[1][1] ? m[0][0] : m[1][1]; }

int main(void)
{
    int a[4] = { 1, 2, 3, 4 }, m[2][2] = { { 5, 0 }, { 0, 6 } };
    int (*whole)[4] = &a;
    printf("%zu %zu %zu\n", psize(a), sizeof a, sizeof *whole);
    bump(a); bump(a + 1);
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    printf("%d %d\n", last(a, 4), (*whole)[2]);
    printf("%d %d\n", apply(sq, 7), apply(&sq, 8));
    printf("%d\n", max2(m));
    printf("%d\n", (int)(whole + 1 == (int (*)[4])(a + 4)));
    printf("%d %d\n", *a, *(a + 3));
    return a[1];
}
