/* Anonymous struct and union members: direct access, nesting, initialization. */
#include <stddef.h>
#include <stdio.h>

struct shape {
    int kind;
    union {
        struct { int x, y, r; };
        struct { int left, top; union { int width; int extent; }; int height; };
        int raw[4];
    };
    struct { unsigned red : 8, green : 8, blue : 8; };
};

static int area(const struct shape *s) { return s->kind ? s->width * s->height : 3 * s->r * s->r; }

int main(void)
{
    struct shape c = { 0, { { 1, 2, 5 } }, { 255, 128, 7 } };
    struct shape b = { .kind = 1, .left = 3, .top = 4, .extent = 6, .height = 7, .blue = 9 };
    int i;
    printf("%d %d\n", area(&c), area(&b));
    printf("%d %d %d\n", c.left, c.top, c.extent);
    printf("%d %d %d %d\n", b.x, b.y, b.r, b.width);
    for (i = 0; i < 4; i++)
        printf("%d ", b.raw[i]);
    printf("\n%d %d %d | %d %d %d\n", c.red, c.green, c.blue, b.red, b.green, b.blue);
    b.raw[2] = 50;
    c.r++;
    printf("%d %d\n", b.extent, c.width);
    printf("%zu %zu %zu\n", offsetof(struct shape, width), offsetof(struct shape, height), sizeof b);
    return 0;
}
