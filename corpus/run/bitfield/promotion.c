/* Promotions of bit-fields: narrow unsigned ones become int, full-width ones stay unsigned. */
#include <stdio.h>

struct s { unsigned a : 8; unsigned b : 31; unsigned c : 32; int d : 8; unsigned long e : 8; };

int main(void)
{
    struct s x = { 1, 1, 1, -1, 1 };
    printf("%d\n", x.a - 2 < 0);
    printf("%d\n", x.b - 2 < 0);
    printf("%d\n", x.c - 2 < 0);
    printf("%d\n", x.d < x.a);
    printf("%d\n", x.d < x.c);
    printf("%d\n", ~x.a);
    printf("%d\n", -x.b);
    printf("%d\n", (x.a << 31 - 3) > 0);
    x.a = 200;
    printf("%d %d\n", x.a * x.a, x.a << 4);
    x.d = x.a;
    printf("%d %d\n", x.d, x.d == x.a);
    printf("%d\n", x.d >> 3);
    printf("%d\n", (x.a > 100 ? x.d : x.c) == 0xffffffc8u);
    return 0;
}
