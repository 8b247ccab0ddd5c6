/* Operator precedence and associativity without helpful parentheses. */
#include <stdio.h>

int main(void)
{
    int a = 2, b = 3, c = 4, d = 5, x, *p = &a, t[4] = { 1, 2, 3, 4 }, *q = t;
    printf("%d %d %d\n", a + b * c, a * b + c, a - b - c);
    printf("%d %d %d\n", 100 / 5 / 2, 100 / 5 * 2, 100 % 7 * 3);
    printf("%d %d %d\n", 1 << 2 + 1, 64 >> 1 << 2, 1 + 2 << 3);
    printf("%d %d %d\n", a < b == c < d, a == b < c, a != b > c);
    printf("%d %d %d\n", a & b == b, a | b ^ c & d, 6 & 3 << 1);
    printf("%d %d %d\n", a && b || c && 0, 0 || a && 0, !a + b);
    printf("%d %d %d\n", -a * -b, - -a - -b, ~a & c);
    printf("%d %d\n", !a == b, !(a == b));
    printf("%d %d\n", sizeof(int) + 1 > 4, (int)sizeof t / 4);
    printf("%d %d\n", (int)3.9 + 1, (int)(3.9 + 1));
    printf("%d\n", *p * *p); x = (*p)+++b; printf("%d %d\n", x, a);
    x = a = b = c; printf("%d %d %d\n", x, a, b);
    x = a > 3 ? b > 3 ? 1 : 2 : c > 3 ? 3 : 4; printf("%d\n", x);
    x = d, c; printf("%d\n", x);
    x += a -= 2 * 2 - 1; printf("%d %d\n", x, a);
    printf("%d %d\n", *q++, 0); printf("%d\n", *++q); printf("%d\n", -*q); printf("%d\n", *&*q);
    printf("%d\n", a ? 0, b : c);
    printf("%d\n", 2 + 3 - 1 * 4 / 2 % 3 << 1 & 15 | 16 ^ 1);
    printf("%d\n", a - - b); printf("%d\n", a+ +b);
    printf("%d\n", &t[2] - t == 2 && t + 1 < t + 2);
    return a > b > c;
}
