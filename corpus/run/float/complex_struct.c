/* Structs of doubles by value: complex arithmetic, Mandelbrot membership, vectors. */
#include <stdio.h>

typedef struct { double re, im; } cx;
typedef struct { float x, y, z; } v3;
static cx mul(cx a, cx b) { return (cx){ a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re }; }
static cx add(cx a, cx b) { a.re += b.re; a.im += b.im; return a; }
static int escape(cx c) { cx z = { 0, 0 }; int n; for (n = 0; n < 30 && z.re * z.re + z.im * z.im <= 4; n++) z = add(mul(z, z), c); return n; }
static v3 cross(v3 a, v3 b) { return (v3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x }; }
static float dot(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

int main(void)
{
    cx p = { 1, 0 }, i = { 0, 1 };
    v3 a = { 1, 2, 3 }, b = { -2, 0.5f, 4 }, c;
    int k, x, y;
    for (k = 0; k < 5; k++) { printf("%g%+gi ", p.re + 0.0, p.im + 0.0); p = mul(p, add(i, (cx){ 1 })); }
    printf("\n");
    for (y = -5; y <= 5; y++) {
        for (x = -14; x <= 5; x++) putchar(" .:-=+*#%@"[escape((cx){ x / 7.0, y / 5.0 }) * 9 / 30]);
        putchar('\n');
    }
    c = cross(a, b);
    printf("%g %g %g | %g %g\n", c.x, c.y, c.z, dot(a, b), dot(c, a));
    return 0;
}
