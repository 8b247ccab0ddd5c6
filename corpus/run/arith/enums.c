/* Enumerations: values, gaps, negatives, use as int, in switch, as array index, unnamed ones. */
#include <stdio.h>

enum color { RED, GREEN = 5, BLUE, LAST, ALIAS = GREEN };
enum { NEG = -3, NEXT, ZERO = NEXT + 2, MASK = 1 << 4 | 1 };
typedef enum { OFF, ON } Switch;
enum big { BIG = 0x7fffffff };
enum wide { WIDE = 0x100000000 };

static const char *name(enum color c)
{
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    default: return "?";
    }
}

static enum color next(enum color c) { return c == RED ? GREEN : c + 1; }

int main(void)
{
    enum color c = RED;
    Switch s = ON;
    int hits[LAST] = { [GREEN] = 2, [BLUE] = 3 };
    enum color unknown = 42;
    int i, sum = 0;
    for (i = 0; i < 4; i++, c = next(c))
        printf("%d:%s ", c, name(c));
    printf("\n%d %d %d %d %d\n", ALIAS, LAST, NEG, NEXT, ZERO);
    printf("%d %d %zu\n", MASK, s, sizeof(enum color));
    for (i = 0; i < LAST; i++)
        sum += hits[i] * i;
    printf("%d %s\n", sum, name(unknown));
    s = !s;
    printf("%d\n", s);
    printf("%zu %ld\n", sizeof(enum wide), (long)WIDE);
    printf("%d %d\n", BIG, (enum color)6 == BLUE);
    {
        enum { RED = 100, INNER };
        printf("%d %d\n", RED, INNER);
    }
    printf("%d\n", RED);
    return unknown;
}
