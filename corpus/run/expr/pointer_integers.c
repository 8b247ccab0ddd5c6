/* Pointers and integers: round trips through uintptr_t, alignment tests, tagged pointers, null constants. */
#include <stdint.h>
#include <stdio.h>

struct n { int v; struct n *next; };
static uintptr_t tag(struct n *p, int t) { return (uintptr_t)p | (uintptr_t)t; }

int main(void)
{
    static int a[4] = { 1, 2, 3, 4 }; static struct n x = { 10, 0 }, y = { 20, &x };
    uintptr_t u = (uintptr_t)a, w; int *p; void *v; intptr_t i; long d;
    p = (int *)(u + 8); printf("%d\n", *p);
    d = (long)((uintptr_t)&a[3] - u); printf("%ld\n", d);
    printf("%d %d\n", (int)(u % _Alignof(int)), (int)((uintptr_t)&y & 7));
    w = tag(&y, 3); printf("%d %d\n", (int)(w & 7), ((struct n *)(w & ~(uintptr_t)7))->v);
    v = &y; printf("%d\n", ((struct n *)v)->next->v);
    v = (void *)5; printf("%ld\n", (long)v);
    i = (intptr_t)(void *)-1; printf("%ld\n", (long)i);
    p = 0; printf("%d %d %d\n", p == NULL, !p, (uintptr_t)p == 0);
    printf("%d\n", (void *)a == (void *)&a[0]);
    { unsigned char *b = (unsigned char *)a; b += 4; printf("%d %d\n", *(int *)b, b == (unsigned char *)(a + 1)); }
    { int (*row)[2] = (int (*)[2])a; printf("%d\n", row[1][0]); }
    { uintptr_t lo = (uintptr_t)&x ^ (uintptr_t)&y; struct n *z = (struct n *)(lo ^ (uintptr_t)&x); printf("%d\n", z->v); }
    printf("%d\n", (int)(intptr_t)(void *)(intptr_t)-42);
    return *(int *)(void *)(char *)&a[2];
}
