/* Structs passed and returned by value: callee's changes stay local; chained calls. */
#include <stdio.h>

struct point { int x, y; };
struct rect { struct point lo, hi; };
struct big { int a[20]; char name[8]; };

static struct point add(struct point a, struct point b)
{
    a.x += b.x; a.y += b.y;
    return a;
}
static struct rect grow(struct rect r, int d)
{
    r.lo = add(r.lo, (struct point){ -d, -d });
    r.hi = add(r.hi, (struct point){ d, d });
    return r;
}
static int area(struct rect r) { return (r.hi.x - r.lo.x) * (r.hi.y - r.lo.y); }
static struct big fill(struct big b, int from)
{
    int i;
    for (i = 0; i < 20; i++)
        b.a[i] += from + i;
    b.name[0]++;
    return b;
}
static int sum(struct big b)
{
    int i, s = 0;
    for (i = 0; i < 20; i++) { s += b.a[i]; b.a[i] = 0; }
    return s;
}

int main(void)
{
    struct point p = { 1, 2 }, q = { 10, 20 }, r;
    struct rect box = { { 0, 0 }, { 3, 4 } };
    struct big b = { { 1, 2, 3 }, "abc" }, c;
    r = add(add(p, q), add(q, p));
    printf("%d,%d %d,%d %d,%d\n", p.x, p.y, q.x, q.y, r.x, r.y);
    printf("%d %d %d\n", area(box), area(grow(box, 1)), area(grow(grow(box, 1), 2)));
    printf("%d %d\n", box.lo.x, grow(box, 5).lo.x);
    c = fill(b, 100);
    printf("%d %d %d %s %s\n", sum(b), sum(c), sum(c), b.name, c.name);
    printf("%s %d\n", fill(c, 1).name, fill(c, 1).a[19]);
    return add(p, q).x;
}
