/* Generic containers by macros: vectors of several types, map, filter, fold, and a typed stack. */
#include <stdio.h>
#include <stdlib.h>

#define VEC(T) struct { T *a; size_t n, cap; }
#define PUSH(v, x) ((v).n == (v).cap ? (v).a = realloc((v).a, ((v).cap = (v).cap ? (v).cap * 2 : 2) * sizeof *(v).a), (v).a[(v).n++] = (x) : ((v).a[(v).n++] = (x)))
#define POP(v) ((v).a[--(v).n])
#define EACH(p, v) for (__typeof__((v).a) p = (v).a; p < (v).a + (v).n; p++)
#define FREE(v) (free((v).a), (v).a = NULL, (v).n = (v).cap = 0)
#define DEFINE_MAX(T, name) static T name(const T *a, size_t n) { T m = a[0]; size_t i; for (i = 1; i < n; i++) if (a[i] > m) m = a[i]; return m; }
DEFINE_MAX(int, max_int)
DEFINE_MAX(double, max_double)
struct pt { int x, y; };
typedef VEC(struct pt) points;
static void grow(points *p, int n) { int i; for (i = 0; i < n; i++) PUSH(*p, ((struct pt){ i, i * i })); }

int main(void)
{
    VEC(int) v = { 0 }; VEC(double) d = { 0 }; VEC(const char *) s = { 0 }; points p = { 0 };
    int i, sum = 0;
    for (i = 0; i < 20; i++) { PUSH(v, i * 7 % 13); if (i % 3 == 0) PUSH(d, i / 4.0); }
    PUSH(s, "x"); PUSH(s, "yy"); PUSH(s, "zzz");
    EACH(q, v) sum += *q;
    printf("%zu %zu %d %d\n", v.n, v.cap, sum, max_int(v.a, v.n));
    EACH(q, d) printf("%g ", *q);
    printf("%g\n", max_double(d.a, d.n));
    while (s.n) printf("%s ", POP(s));
    grow(&p, 5);
    EACH(q, p) q->y -= q->x;
    printf("%d %zu\n", p.a[4].y, p.n);
    FREE(v); FREE(d); FREE(s); FREE(p);
    printf("%zu %d\n", v.n, v.a == NULL);
    return 0;
}
