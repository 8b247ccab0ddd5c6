/* Statement expressions: value of the last expression, declarations, loops, gotos inside, nesting. */
#include <stdio.h>

#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define SWAP(a, b) ({ __typeof__(a) _t = a; a = b; b = _t; })
static int calls;
static int next(void) { return ++calls; }

int main(void)
{
    int x = 3, y = 4, r;
    double d;
    struct p { int a, b; } s;
    r = ({ int t = x * x; t + y; }); printf("%d\n", r);
    r = MAX(next(), 0) + MAX(0, x++); printf("%d %d %d\n", r, calls, x);
    d = MAX(2.5, 1); printf("%g\n", d);
    r = ({ int i, s = 0; for (i = 0; i < 10; i++) s += i; s; }); printf("%d\n", r);
    SWAP(x, y); printf("%d %d\n", x, y);
    r = ({ int k = ({ int m = 2; m * 3; }) + 1; k * k; }); printf("%d\n", r);
    s = ({ struct p q = { 5, 6 }; q.a++; q; }); printf("%d %d\n", s.a, s.b);
    printf("%d\n", ({ struct p q = { 8, 9 }; q; }).b);
    ({ if (x > 3) r = 1; else r = 2; }); printf("%d\n", r);
    if (({ r++; r < 10; })) printf("cond %d\n", r);
    while (({ r *= 2; r < 50; })) ;
    printf("%d\n", r);
    for (x = 0; x < 5; x++) y += ({ if (x == 2) continue; x * 10; });
    printf("%d\n", y);
    r = 1 ? ({ y++; 7; }) : ({ y += 100; 8; }); printf("%d %d\n", r, y);
    r = 0 && ({ y++; 1; }); printf("%d %d\n", r, y);
    printf("%d\n", ({ goto over; 5; }));
over:
    return ({ int z = 4; z + 1; });
}
