/* Compound literals: scalars, structs, arrays, as arguments, modified in place, in loops. */
#include <stdio.h>

struct p { int x, y; };

static int sum(const int *a, int n) { int s = 0; while (n--) s += *a++; return s; }
static int dot(struct p a, const struct p *b) { return a.x * b->x + a.y * b->y; }
static const struct p *global = &(struct p){ 11, 22 };
static int *garr = (int[]){ 3, 1, 4, 1, 5 };

int main(void)
{
    struct p *q = &(struct p){ .y = 7 };
    int *a = (int[5]){ [4] = 5, [1] = 2 };
    char *s = (char[]){ "mutable" };
    int i, t = 0;
    printf("%d\n", sum((int[]){ 1, 2, 3, 4 }, 4));
    printf("%d\n", dot((struct p){ 3, 4 }, &(struct p){ 5, 6 }));
    q->x = 8; printf("%d %d\n", q->x, q->y);
    printf("%d %d %d\n", a[0], a[1], a[4]);
    s[0] = 'M'; puts(s);
    for (i = 0; i < 3; i++) {
        struct p *r = &(struct p){ i, i * i };
        r->x += 10;
        t += r->x * 100 + r->y;
    }
    printf("%d\n", t);
    printf("%d %d %d\n", global->x, global->y, sum(garr, 5));
    printf("%d\n", (struct p){ 1, 2 }.y);
    printf("%d %zu\n", (int){ 9 }, sizeof(int[]){ 1, 2, 3 });
    printf("%d\n", ++(int){ 41 });
    *q = (struct p){ q->y, q->x };
    printf("%d %d\n", q->x, q->y);
    puts((const char *[]){ "zero", "one", "two" }[2]);
    return ((int[]){ 5, 6, 7 })[1];
}
