/* Assorted GNU forms: zero-length arrays, empty structs, void pointer arithmetic, binary constants, casts to union, escapes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct zero { int n; int tail[0]; };
struct empty { };
union u { int i; double d; };
static double ud(union u x) { return x.d; }

int main(void)
{
    struct zero *z = malloc(sizeof *z + 3 * sizeof(int));
    struct empty e[3];
    void *v = "void arithmetic";
    int a[] = { [0] 5, [2] 7 };
    struct { int x, y; } old = { y: 2, x: 1 };
    z->n = 3;
    z->tail[2] = 9;
    printf("%zu %zu %zu %d\n", sizeof *z, sizeof e, sizeof(struct empty), z->tail[2]);
    free(z);
    v += 5; v++;
    printf("%s %c\n", (char *)(v - 1), *(char *)v);
    printf("%d %d %d\n", 0b1011, 0B11, a[2] + a[1] + a[0]);
    printf("%d %d\n", old.x, old.y);
    printf("%g\n", ud((union u)2.5));
    printf("%d\n", '\e');
    printf("%zu %zu\n", sizeof(void), sizeof(*v));
    printf("%d\n", __LINE__ > 0 && __COUNTER__ + 1 == __COUNTER__);
    printf("%d\n", (int){ 3 } + ((union u){ 4 }).i);
    return 0;
}
