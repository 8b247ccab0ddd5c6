/* Pointer arithmetic, difference and comparison in several element sizes; one past the end. */
#include <stdio.h>

struct s3 { char c[3]; };

int main(void)
{
    int a[10], *p, *end = a + 10;
    double d[5] = { 1, 2, 3, 4, 5 }, *dp = d + 4;
    struct s3 s[4], *sp = s + 1;
    char *c = "pointer", *cp = c + 7;
    void *v;
    for (p = a; p < end; p++) *p = (int)(p - a) * 3;
    printf("%td %d %d\n", end - a, end[-1], *(end - 10));
    while (dp >= d + 1) { printf("%g ", *dp); dp -= 2; }
    printf("%td\n", dp - d);
    printf("%td %td\n", sp - s, (char *)&s[3] - (char *)sp);
    while (cp != c) putchar(*--cp);
    putchar('\n');
    p = a + 3; p += 4; printf("%d ", *p); p -= 5; printf("%d ", *p); p = &p[2]; printf("%d ", *p);
    p = &*p; p = &a[0] + (p - a) * 2; printf("%d\n", *p);
    printf("%d %d %d %d\n", a < end, a + 10 == end, &a[5] > &a[4], p != a);
    v = a + 6;
    printf("%d %d\n", *(int *)v, (char *)v - (char *)a == 24);
    printf("%d\n", ((int *)((char *)a + 8))[0]);
    printf("%td\n", (int *)(v + 4) - a);
    printf("%d %d\n", 3[a], *(2 + a));
    printf("%d\n", !p + !!p + (p == NULL) + (NULL == 0));
    return 0;
}
