/* Designated initializers: out of order, overriding, continuing after a designator, nested paths. */
#include <stdio.h>

struct p { int x, y, z; };
struct s { struct p a, b[3]; char name[6]; int tail; };

int main(void)
{
    int a[10] = { 1, 2, [5] = 50, 60, [2] = 20, 30 };
    int n[] = { [3] = 3, [7] = 7, 8 };
    struct p p = { .z = 3, .x = 1 };
    struct p q = { .y = 2, 5 };
    struct s s = { .b[1].y = 11, .b[1].z = 12, .b[2] = { 7, .z = 9 }, .name = "hey", .a = { 1, 2 }, .tail = -1 };
    struct s t = { { .y = 4 }, { { 1 }, [2] = { .x = 2 } }, { [1] = 'b', [0] = 'a' } };
    struct s arr[] = { [1].a.x = 5, [1].b[0] = { 1, 2, 3 }, [0].name = "zero" };
    int m[3][3] = { [1] = { 1, 2 }, [0][2] = 9, [2] = { [2] = 8 } };
    int over[4] = { [0] = 1, [1] = 2, [0] = 7, [3] = 4, [3] = 5 };
    unsigned i;
    for (i = 0; i < 10; i++) printf("%d ", a[i]);
    printf("\n%zu:", sizeof n / sizeof *n);
    for (i = 0; i < sizeof n / sizeof *n; i++) printf(" %d", n[i]);
    printf("\n%d %d %d / %d %d %d\n", p.x, p.y, p.z, q.x, q.y, q.z);
    printf("%d %d %d\n", s.a.x, s.a.y, s.a.z);
    for (i = 0; i < 3; i++) printf("%d %d %d; ", s.b[i].x, s.b[i].y, s.b[i].z);
    printf("%s %d\n", s.name, s.tail);
    for (i = 0; i < 3; i++) printf("%d %d %d; ", t.b[i].x, t.b[i].y, t.b[i].z);
    printf("%s %d %d\n", t.name, t.a.y, t.tail);
    printf("%zu %d %d %s\n", sizeof arr / sizeof *arr, arr[1].a.x, arr[1].b[0].z, arr[0].name);
    for (i = 0; i < 9; i++) printf("%d ", m[i / 3][i % 3]);
    printf("\n%d %d %d %d\n", over[0], over[1], over[2], over[3]);
    return 0;
}
