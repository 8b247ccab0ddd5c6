/* Partial and brace-elided initializers: the rest is zero, in every storage class. */
#include <stdio.h>

struct in { char c[3]; int v; };
struct out { int a[2][2]; struct in i[2]; double d; const char *s; };

static struct out g = { 1, 2, 3, 4, 'a', 'b', 'c', 5, "xy", 6, 1.5, "end" };
static int zeros[3][2];
int m[][3] = { 1, 2, 3, 4, 5, 6, 7 };
int e[2][2][2] = { { { 1 }, { 2, 3 } }, { 4, 5, 6 } };

static void show(const struct out *o)
{
    printf("%d %d %d %d ", o->a[0][0], o->a[0][1], o->a[1][0], o->a[1][1]);
    printf("%d%d%d:%d %d%d%d:%d ", o->i[0].c[0], o->i[0].c[1], o->i[0].c[2], o->i[0].v, o->i[1].c[0], o->i[1].c[1], o->i[1].c[2], o->i[1].v);
    printf("%g %s\n", o->d, o->s ? o->s : "null");
}

static int dirty(int n) { int a[64], i, s = 0; for (i = 0; i < 64; i++) a[i] = n + i; for (i = 0; i < 64; i++) s ^= a[i]; return s; }

int main(void)
{
    int k;
    printf("%d\n", dirty(77));
    for (k = 0; k < 2; k++) {
        struct out l = { { { k } }, { { "q" }, { { 0 }, k + 8 } } };
        int loc[5] = { k, k + 1 };
        show(&l);
        printf("%d %d %d %d %d\n", loc[0], loc[1], loc[2], loc[3], loc[4]);
        l.d = 9; loc[4] = 9; l.a[1][1] = 9;
    }
    show(&g);
    printf("%d %zu %d %d\n", zeros[2][1], sizeof m / sizeof m[0], m[2][0], m[2][2]);
    for (k = 0; k < 8; k++)
        printf("%d ", (&e[0][0][0] + 0, e[k >> 2][k >> 1 & 1][k & 1]));
    printf("\n");
    { struct out z = { 0 }; show(&z); }
    return 0;
}
