/* Sequence points that are guaranteed: &&, ||, ?:, comma, full expressions, initializers, calls before bodies. */
#include <stdio.h>

static int log_[64], n;
static int note(int x) { log_[n++] = x; return x; }
static int pair(int a, int b) { note(100); return a + b; }
static int idx(void) { note(7); return 1; }

int main(void)
{
    int i = 0, a[3] = { 0 }, r;
    r = note(1) && note(2); r = note(0) || note(3); r = (note(4), note(5)); r = note(0) ? note(8) : note(9);
    r = pair(note(6), 2);
    a[idx()] = 5;
    a[idx()] += 3;
    i = i++ + 0 * 1 == 0 ? i + 10 : -1;
    printf("%d %d %d\n", r, a[1], i);
    { int x = note(11), y = note(12), z[2] = { 13, 14 }; r = x + y + z[1]; }
    for (i = note(20); i < note(22); i += note(1)) note(21);
    do note(30); while (note(0));
    if (note(0)) note(40); else if (note(41)) note(42);
    switch (note(50)) { case 50: note(51); }
    for (i = 0; i < n && i < 64; i++) printf("%d%s", log_[i], i % 12 == 11 ? "\n" : " ");
    printf("\n%d\n", n);
    return r;
}
