/* Flag enumerations combined with bit operators, and unsigned underlying comparison. */
#include <stdio.h>

enum perm { READ = 1, WRITE = 2, EXEC = 4, ALL = READ | WRITE | EXEC };
enum sign { MINUS = -1, NONE, PLUS };

static void show(enum perm p)
{
    printf("%c%c%c", p & READ ? 'r' : '-', p & WRITE ? 'w' : '-', p & EXEC ? 'x' : '-');
}

static enum sign sign_of(int x) { return (x > 0) - (x < 0); }

int main(void)
{
    enum perm p = 0;
    enum sign s;
    int i;
    for (i = 0; i <= ALL; i++) {
        show(i);
        putchar(i < ALL ? ' ' : '\n');
    }
    p |= READ; p |= EXEC; show(p);
    p ^= ALL; show(p);
    p &= ~WRITE; show(p);
    putchar('\n');
    for (i = -2; i <= 2; i++) {
        s = sign_of(i * 17);
        printf("%d%s ", s, s == MINUS ? "m" : s == PLUS ? "p" : "z");
    }
    printf("\n%d\n", MINUS < NONE);
    p = READ;
    printf("%d\n", -1 < (int)p);
    printf("%d\n", (p << 3 | EXEC) * 2);
    return p + 1;
}
