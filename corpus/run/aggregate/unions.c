/* Unions: members share storage, sizes, initialization of first and designated members. */
#include <stdio.h>
#include <string.h>

union value { int i; unsigned char b[8]; double d; char *s; };
struct tagged { enum { INT, DBL, STR } tag; union value v; };

static void show(struct tagged t)
{
    switch (t.tag) {
    case INT: printf("int %d\n", t.v.i); break;
    case DBL: printf("dbl %g\n", t.v.d); break;
    case STR: printf("str %s\n", t.v.s); break;
    }
}

static union value twice(union value v) { v.i *= 2; return v; }

int main(void)
{
    struct tagged t[] = { { INT, { 42 } }, { DBL, { .d = 2.75 } }, { STR, { .s = "text" } } };
    union value u = { 0x01020304 }, w;
    union { char c; short s; long l; } m = { .l = -1 };
    union { struct { short x, y; } p; int whole; } q = { { 1, 2 } };
    int i;
    for (i = 0; i < 3; i++)
        show(t[i]);
    printf("%d %d %d %d\n", u.b[0], u.b[1], u.b[2], u.b[3]);
    w = u;
    w.b[1] = 0xff;
    printf("%x %x\n", u.i, w.i);
    printf("%x\n", twice(w).i);
    m.c = 0;
    printf("%lx %d\n", m.l, m.s);
    m.s = 0x1234;
    printf("%lx %x\n", m.l, m.c);
    printf("%x\n", q.whole);
    q.whole += 0x10000;
    printf("%d %d\n", q.p.x, q.p.y);
    printf("%zu %zu %zu\n", sizeof u, sizeof m, sizeof(struct tagged));
    return 0;
}
