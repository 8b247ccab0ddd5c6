/* Structs of every size returned and passed: one byte to beyond registers, mixed floats, through function pointers. */
#include <stdio.h>

struct s1 { char a; }; struct s3 { char a[3]; }; struct s8 { int a, b; }; struct s12 { int a; float f; short s; }; struct s16 { long a; double d; }; struct s17 { char c[17]; }; struct s48 { struct s16 x[3]; };
struct ff { float x, y; }; struct df { double d; float f; }; union ud { double d; long l; };
static struct s1 f1(int x) { return (struct s1){ x }; }
static struct s3 f3(struct s3 p, int x) { p.a[1] += x; return p; }
static struct s8 f8(struct s8 p) { return (struct s8){ p.b, p.a }; }
static struct s12 f12(struct s12 p, struct s12 q) { p.a += q.a; p.f *= q.f; p.s -= q.s; return p; }
static struct s16 f16(long a, struct s16 p, double d) { p.a += a; p.d += d; return p; }
static struct s17 f17(char c) { struct s17 r; int i; for (i = 0; i < 16; i++) r.c[i] = c + i; r.c[16] = 0; return r; }
static struct s48 f48(struct s48 p, int k) { p.x[k] = f16(k, p.x[k], 0.5); return k ? f48(p, k - 1) : p; }
static struct ff fff(struct ff a, struct ff b) { return (struct ff){ a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x }; }
static struct df fdf(struct df a) { a.d /= 2; a.f += 1; return a; }
static union ud fud(double d) { return (union ud){ .d = d }; }

int main(void)
{
    struct s48 big = { { { 1, 1 }, { 2, 2 }, { 3, 3 } } }; struct s8 (*pf)(struct s8) = f8; struct s17 (*pg)(char) = f17;
    struct s3 t = { { 'a', 'b', 'c' } }; struct s12 a = { 1, 2.5f, 3 }, r12; int i;
    printf("%d %c%c %d\n", f1(200).a, f3(t, 5).a[1], t.a[1], pf(pf((struct s8){ 1, 2 })).b);
    r12 = f12(a, f12(a, a)); printf("%d %g %d\n", r12.a, r12.f, r12.s);
    printf("%ld %g\n", f16(5, (struct s16){ 6, 0.25 }, 1).a, f16(5, (struct s16){ 6, 0.25 }, 1).d);
    printf("%s %zu\n", pg('A').c, sizeof(struct s17));
    big = f48(big, 2);
    for (i = 0; i < 3; i++) printf("%ld %g ", big.x[i].a, big.x[i].d);
    printf("\n%g %g %g\n", fff((struct ff){ 1, 2 }, (struct ff){ 3, -1 }).x, fdf((struct df){ 5, 6 }).d, fdf((struct df){ 5, 6 }).f);
    printf("%lx\n", fud(-2.0).l);
    return 0;
}
