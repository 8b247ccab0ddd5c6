/* typeof on types and expressions, __auto_type, typeof with arrays, functions and qualifiers. */
#include <stdio.h>

struct s { int a[3]; char *n; };
static long f(int x) { return x * 2L; }
#define NEW(v, e) __auto_type v = (e)
#define each(i, arr) for (typeof(sizeof(arr)) i = 0; i < sizeof(arr) / sizeof(*(arr)); i++)

int main(void)
{
    struct s v = { { 1, 2, 3 }, "nm" };
    typeof(v.a) b = { 4, 5, 6 };
    typeof(v.a[0]) *p = b;
    typeof(f(0)) r = f(1000000000);
    __typeof__(f) *fp = f;
    typeof(int *) q = &b[1], q2 = &b[2];
    typeof(int[4]) arr = { 9, 8 };
    typeof(typeof(char *)[2]) names = { "one", "two" };
    unsigned char uc = 250;
    typeof(uc) w = uc + 10;
    typeof(uc + 0) wide = uc + 10;
    int side = 0;
    typeof(side++) t = 5;
    NEW(d, 1.5f * 2); NEW(c, (char)65); NEW(ptr, &v); NEW(str, "text");
    const int ci = 3; typeof(ci + 0) mut = ci;
    mut++;
    printf("%zu %d %ld %ld\n", sizeof b, *p, r, fp(21));
    printf("%d %d %d %zu\n", *q, *q2, arr[1], sizeof arr);
    printf("%s %d %d %d %d\n", names[1], w, wide, side, t);
    printf("%g %zu %zu %d %s %d\n", d, sizeof d, sizeof c, ptr->a[2], str, mut);
    each(i, b) printf("%zu=%d ", i, b[i]);
    printf("\n");
    return t;
}
