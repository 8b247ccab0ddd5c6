/* Shadowing: blocks, loops, parameters, tags and typedef names; lifetime of block variables. */
#include <stdio.h>

static int x = 1;
struct t { int a; };
static int get(void) { return x; }
static int shadow(int x) { { int x = 50; x++; } return x; }

int main(void)
{
    int r = x;
    int x = 2;
    printf("%d %d %d\n", r, x, get());
    {
        int x = 3;
        { extern int y; printf("%d %d\n", x, y); int x = 4; printf("%d\n", x); }
        x++; printf("%d\n", x);
    }
    for (int x = 0; x < 2; x++) { int x = 10; x++; printf("%d ", x); }
    printf("%d\n", x);
    {
        struct t { char c[3]; };
        struct t v = { "ab" };
        printf("%zu %s\n", sizeof v, v.c);
    }
    printf("%zu %d\n", sizeof(struct t), shadow(7));
    { enum { x = 99 }; printf("%d\n", x); }
    if (sizeof(enum { in_if = 5 })) printf("%d\n", in_if);
    for (int i = 0; i < 3; i++) { int fresh = i; fresh += 5; printf("%d ", fresh); }
    printf("\n");
    { int get = 3; printf("%d\n", get); }
    return x;
}
int y = 123;
