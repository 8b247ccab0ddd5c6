/* switch: fallthrough, default in the middle, shared labels, break versus continue, no match. */
#include <stdio.h>

static int f(int x)
{
    int r = 0;
    switch (x) {
    case 1: r += 1;
    case 2: r += 2; break;
    default: r += 100;
    case 3: r += 3;
    case 4:
    case 5: r += 5; break;
    case -1: return -7;
    }
    return r;
}

int main(void)
{
    int i, n = 0;
    for (i = -2; i < 8; i++) printf("%d ", f(i));
    printf("\n");
    for (i = 0; i < 10; i++) {
        switch (i % 4) {
        case 0: continue;
        case 1: n += 10; break;
        case 2: n += 100;
        }
        n++;
    }
    printf("%d\n", n);
    switch (i) { case 11: puts("eleven"); }
    switch (i) default: puts("only default");
    switch (3) { int hidden; case 3: hidden = 4; printf("%d\n", hidden); }
    switch ((char)300) { case 44: puts("44"); break; case 300: puts("300"); }
    switch (0xffffffffu) { case -1: puts("minus one as unsigned"); break; default: puts("other"); }
    switch (1L << 33) { case 0: puts("truncated"); break; case 1L << 33: puts("long"); }
    switch ('b') { case 'a' ... 'c': puts("letter"); break; default: puts("none"); }
    return f(3);
}
