/* Nested switches with breaks and gotos out, switch inside loops inside switch, enum dispatch. */
#include <stdio.h>

static const char *name(int a, int b)
{
    switch (a) {
    case 0:
        switch (b) { case 0: return "00"; case 1: break; default: goto other; }
        return "01";
    case 1:
        switch (b) {
        case 0:
            for (;;) { switch (a) { case 1: break; } break; }
            return "10";
        case 2: goto other;
        }
        /* fall through */
    case 2: return "1x or 2";
    }
other:
    return "other";
}

int main(void)
{
    int i, j, n = 0;
    for (i = 0; i < 4; i++)
        for (j = 0; j < 3; j++) printf("%s%s", name(i, j), j < 2 ? ", " : "\n");
    for (i = 0; i < 20; i++)
        switch (i & 3) {
        case 0:
            for (j = 0; j < 5; j++)
                switch (j) {
                case 1: continue;
                case 3: goto next;
                default: n += j + 1;
                }
        next:
            n += 1000;
            break;
        case 1: do { n += 7; if (n & 1) break; } while (n % 5); continue;
        case 2: if (0) { case 3: n *= 2; n %= 10007; }
            break;
        }
    printf("%d\n", n);
    return 0;
}
