/* K&R definitions, implicit int, implicit declarations, default argument promotions. */
#include <stdio.h>

static glob = 7;

add(a, b) { return a + b; }

long scale(x, k, c)
    long x;
    char c;
{
    if (c == '-') k = -k;
    return x * k;
}

double half(f) float f; { return f / 2; }

char *pick(table, i)
    char **table;
    register i;
{
    return table[i];
}

static unsigned char low(c) unsigned char c; { c++; return c; }

sum(p, n) int *p; { int s = 0; while (n-- > 0) s += *p++; return s; }

int noproto();

main()
{
    auto x = 5;
    const y = 6;
    char *names[3];
    int a[3] = { 1, 2, 3 };
    names[0] = "first"; names[1] = "second"; names[2] = "third";
    printf("%d %d\n", add(2, 3), add(x, y));
    printf("%ld %ld\n", scale(1000000000L, 7, '+'), scale(6L, 7, '-'));
    printf("%g\n", half(5.0f));
    printf("%s\n", pick(names, 1));
    printf("%d %d\n", low(255), low(300));
    printf("%d %d\n", sum(a, 3), glob);
    printf("%d\n", noproto(1, 2));
    return later(3);
}

int noproto(a, b) int a, b; { return a * 10 + b; }
later(n) { return n * n; }
