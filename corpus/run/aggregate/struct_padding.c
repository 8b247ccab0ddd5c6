/* Alignment and padding: sizes and offsets of mixed structs, nested, in arrays; LP64 layout. */
#include <stddef.h>
#include <stdio.h>

struct a { char c; int i; char d; };
struct b { char c; double d; short s; };
struct c { short s; char c; };
struct d { struct c x; long l; struct c y[3]; };
struct e { char c[5]; long double ld; };
struct f { char a; struct { char b; short s; } in; char c; };
union u { char c[9]; int i; long l; };
struct g { union u u; char c; };

int main(void)
{
    printf("%zu %zu %zu\n", sizeof(struct a), offsetof(struct a, i), offsetof(struct a, d));
    printf("%zu %zu %zu\n", sizeof(struct b), offsetof(struct b, d), offsetof(struct b, s));
    printf("%zu %zu\n", sizeof(struct c), offsetof(struct c, c));
    printf("%zu %zu %zu\n", sizeof(struct d), offsetof(struct d, l), offsetof(struct d, y[2].c));
    printf("%zu %zu\n", sizeof(struct e), offsetof(struct e, ld));
    printf("%zu %zu %zu\n", sizeof(struct f), offsetof(struct f, in.s), offsetof(struct f, c));
    printf("%zu %zu %zu\n", sizeof(union u), sizeof(struct g), offsetof(struct g, c));
    printf("%zu %zu %zu\n", sizeof(struct a[3]), _Alignof(struct b), _Alignof(struct c));
    printf("%zu %zu %zu %zu\n", sizeof(char *), sizeof(long), sizeof(long double), sizeof(void (*)(void)));
    {
        struct a v[2];
        printf("%td\n", (char *)&v[1].i - (char *)&v[0].c);
    }
    return 0;
}
