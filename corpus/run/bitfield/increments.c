/* Increments and decrements of bit-fields wrap in their own width. */
#include <stdio.h>

struct s { unsigned a : 2; int b : 2; unsigned c : 7; int d : 9; _Bool e : 1; };

int main(void)
{
    struct s x = { 0, 0, 120, 250, 0 }, *p = &x;
    int i, r1, r2;
    for (i = 0; i < 10; i++) {
        r1 = x.a++;
        r2 = ++p->b;
        printf("%d %d | %d %d |", r1, x.a, r2, x.b);
        r1 = p->c++;
        r2 = ++x.d;
        printf(" %d %d | %d %d\n", r1, x.c, r2, x.d);
    }
    for (i = 0; i < 5; i++) {
        r1 = x.a--;
        r2 = --x.b;
        printf("%d %d %d %d\n", r1, x.a, r2, x.b);
    }
    x.e++; printf("%d ", x.e);
    x.e++; printf("%d ", x.e);
    x.e--; printf("%d ", x.e);
    x.e--; printf("%d\n", x.e);
    return 0;
}
