// Objects that are declared again before their block ends, lengths of array parameters, pointers
// that are compared by their types, words in unions with pointers.
#include <stdint.h>
#include <stdio.h>

static int calls;

static int next(void) {
    return ++calls;
}

static int lengths(int n, int a[n++], int m, int b[next()][m + 2]) {
    return n * 100 + (int)(sizeof b[0] / sizeof b[0][0]) * 10 + calls;
}

static int old_style(n, a)
int n;
int a[n++];
{
    return n;
}

static void literals(void) {
    int *first = 0, *second = 0;
    int i = 0;
loop:
    second = first;
    first = &(int){i++};
    if (i < 3)
        goto loop;
    printf("literal %d %d\n", first == second, *first);
}

static void variables(void) {
    int *old = 0;
    int n = 0, same = 0;
again:;
    int x = n;
    same += old == &x;
    old = &x;
    if (n++ < 3)
        goto again;
    printf("variable %d %d\n", same, *old);
}

union word {
    union word *to;
    intptr_t i;
};

static void words(void) {
    union word cells[3] = {{.i = 11}, {.i = 22}, {.i = 33}};
    union word one;
    one.i = (intptr_t)cells;
    union word *p = one.to;
    printf("word %d %d\n", p == cells, (int)p[1].i);
    p[2].to = 0;
    printf("cleared %d\n", (int)cells[2].i);
    one.to = &cells[1];
    printf("back %d\n", (int)one.to->i);
}

int main(void) {
    int a[12] = {0};
    printf("lengths %d\n", lengths(3, a, 2, (int (*)[4])a));
    printf("old style %d\n", old_style(6, a));
    literals();
    variables();
    words();
    printf("compatible %d %d %d %d\n", __builtin_types_compatible_p(char *, const char *),
           __builtin_types_compatible_p(const int, int), __builtin_types_compatible_p(int[5], int[]),
           __builtin_types_compatible_p(const char *, char const *));
    return 0;
}
