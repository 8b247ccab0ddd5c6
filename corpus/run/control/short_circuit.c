/* && and || with side effects: what runs, in which order, mixed with ?: and comma. */
#include <stdio.h>

static int trace(int v, char c) { putchar(c); return v; }
#define T(c) trace(1, c)
#define F(c) trace(0, c)

int main(void)
{
    int i, a = 0, b = 0, r, *p = NULL, x = 5;
    r = T('a') && F('b') && T('c'); printf(" %d\n", r);
    r = F('a') || T('b') || F('c'); printf(" %d\n", r);
    r = F('a') && T('b') || T('c'); printf(" %d\n", r);
    r = T('a') || T('b') && F('c'); printf(" %d\n", r);
    r = (T('a') || T('b')) && F('c'); printf(" %d\n", r);
    r = !F('a') && !T('b'); printf(" %d\n", r);
    r = T('a') ? F('b') ? 1 : 2 : T('c'); printf(" %d\n", r);
    r = (F('a'), T('b')) && (T('c'), F('d')); printf(" %d\n", r);
    r = trace(7, 'x') && trace(-3, 'y'); printf(" %d\n", r);
    for (i = 0; i < 4; i++) (i & 1 && ++a) || (b += 10);
    printf("%d %d\n", a, b);
    if (p && *p) puts("no"); else puts("safe");
    if (!p || *p == 3) puts("safe too");
    p = &x;
    if (p && *p == 5 && (x = 6) && *p != 5) printf("%d\n", x);
    r = x > 3 && x < 10; printf("%d\n", r);
    r = x++ == 6 || x++ == 7; printf("%d %d\n", r, x);
    r = (x != 7) | (x != 6) & (x > 100); printf("%d\n", r);
    while (i-- > 0 && trace(i, '0' + i)) ;
    printf(" %d\n", i);
    r = 1 ? 0 : 1 && 1; printf("%d\n", r);
    r = 0.5 && 2; printf("%d %d\n", r, !0.5);
    r = "" && 1; printf("%d\n", r);
    return 0;
}
