/* Kernel-style macros: min/max with type checks, ARRAY_SIZE, list iteration, do-while(0), BUILD_BUG_ON, swap. */
#include <stddef.h>
#include <stdio.h>

#define min(x, y) ({ typeof(x) _x = (x); typeof(y) _y = (y); (void)(&_x == &_y); _x < _y ? _x : _y; })
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]) + 0 * sizeof(char[1 - 2 * __builtin_types_compatible_p(typeof(a), typeof(&(a)[0]))]))
#define container_of(ptr, type, member) ({ const typeof(((type *)0)->member) *_m = (ptr); (type *)((char *)_m - offsetof(type, member)); })
#define BUILD_BUG_ON(c) ((void)sizeof(char[1 - 2 * !!(c)]))
#define list_for_each_entry(pos, head, member) for (pos = container_of((head)->next, typeof(*pos), member); &pos->member != (head); pos = container_of(pos->member.next, typeof(*pos), member))
#define swap(a, b) do { typeof(a) _t = (a); (a) = (b); (b) = _t; } while (0)
#define clamp(v, lo, hi) ({ typeof(v) _v = (v); _v < (lo) ? (lo) : _v > (hi) ? (hi) : _v; })
#define ALIGN(x, a) (((x) + (typeof(x))(a) - 1) & ~((typeof(x))(a) - 1))
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
struct list { struct list *next, *prev; };
struct item { int v; struct list l; };
static void add(struct list *n, struct list *h) { n->prev = h->prev; n->next = h; h->prev->next = n; h->prev = n; }

int main(void)
{
    struct list head = { &head, &head }; struct item it[4], *p; int i, a[7] = { 0 }, x = 3, y = 9; long lx = 5, ly = -5; double d = 1.5, e = 2.5;
    BUILD_BUG_ON(sizeof(int) != 4);
    for (i = 0; i < (int)ARRAY_SIZE(it); i++) { it[i].v = (i + 1) * 11; add(&it[i].l, &head); }
    list_for_each_entry(p, &head, l) printf("%d ", p->v);
    printf("%zu\n", ARRAY_SIZE(a));
    printf("%d %ld %d\n", min(x, y), min(lx, ly), min(min(x, y), 2));
    if (x < y) swap(x, y); else puts("no");
    swap(d, e);
    printf("%d %d %g %g\n", x, y, d, e);
    i = 0; printf("%d", clamp(i++, 2, 5)); printf(" %d %d\n", i, clamp(99, 2, 5));
    printf("%d %lu %d\n", ALIGN(13, 8), ALIGN(4097ul, 4096), DIV_ROUND_UP(10, 3));
    return min(x, 100);
}
