/* Prefix and postfix increments on every type, their values, and through pointers and members. */
#include <stdio.h>

struct counter { int n; unsigned char c; long a[3]; };

int main(void)
{
    int i = 5, a[5] = { 10, 20, 30, 40, 50 }, *p = a;
    unsigned char uc = 255;
    signed char sc = -128;
    unsigned short us = 0;
    float f = 0.5f;
    double d = -0.25;
    struct counter k = { 1, 254, { 7, 8, 9 } }, *kp = &k;
    int r;

    r = i++; printf("%d %d\n", r, i);
    r = ++i; printf("%d %d\n", r, i);
    r = i--; printf("%d %d\n", r, i);
    r = --i; printf("%d %d\n", r, i);
    r = uc++; printf("%d %d\n", r, uc);
    r = --uc; printf("%d %d\n", r, uc);
    r = sc--; printf("%d %d\n", r, sc);
    r = --us; printf("%d %d\n", r, us);
    f++; --d; printf("%g %g ", f, d); printf("%g ", d++); printf("%g\n", d);
    r = *p++; printf("%d %d\n", r, *p);
    r = (*p)++; printf("%d %d\n", r, *p);
    r = *++p; printf("%d %d\n", r, (int)(p - a));
    r = ++*p; printf("%d %d\n", r, a[2]);
    r = *p--; printf("%d %d\n", r, (int)(p - a));
    r = -*p; printf("%d\n", r);
    r = kp->n++ + kp->c; printf("%d %d\n", r, k.n);
    r = ++kp->c; printf("%d\n", r);
    r = ++kp->c; printf("%d\n", r);
    i = 0;
    kp->a[i++]++; kp->a[i++]--; --kp->a[i];
    printf("%ld %ld %ld %d\n", k.a[0], k.a[1], k.a[2], i);
    a[i++] += 100;
    printf("%d %d\n", a[2], i);
    r = i++ * 10; r += i;
    printf("%d\n", r);
    return 0;
}
