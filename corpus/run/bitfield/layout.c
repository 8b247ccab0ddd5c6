/* Bit-field layout: straddling units, zero-width separators, mixed base types; seen through bytes. */
#include <stdio.h>
#include <string.h>

struct a { unsigned x : 20, y : 20; };
struct b { unsigned x : 4; unsigned : 0; unsigned y : 4; };
struct c { unsigned char x : 5, y : 5; };
struct d { char k; unsigned x : 4; short y : 10; };
struct e { unsigned long x : 33, y : 30, z : 2; };
struct f { unsigned x : 3; unsigned char p; unsigned y : 9; };
struct g { char x : 4; char : 0; char y : 4; int : 0; char z; };
struct h { unsigned x : 7; } ;

static void dump(const char *n, const void *p, size_t size)
{
    const unsigned char *b = p;
    size_t i;
    printf("%s %zu:", n, size);
    for (i = 0; i < size; i++)
        printf(" %02x", b[i]);
    printf("\n");
}

#define TRY(T, ...) do { struct T v; memset(&v, 0, sizeof v); __VA_ARGS__; dump(#T, &v, sizeof v); } while (0)

int main(void)
{
    TRY(a, v.x = 0xfffff; v.y = 0x12345);
    TRY(b, v.x = 0xf; v.y = 0x9);
    TRY(c, v.x = 0x1f; v.y = 0x15);
    TRY(d, v.k = 'K'; v.x = 0xa; v.y = -2);
    TRY(e, v.x = 0x1ffffffff; v.y = 0x2aaaaaaa; v.z = 3);
    TRY(f, v.x = 5; v.p = 0xcc; v.y = 0x1ff);
    TRY(g, v.x = 3; v.y = 5; v.z = 0x77);
    TRY(h, v.x = 0x7f);
    return 0;
}
