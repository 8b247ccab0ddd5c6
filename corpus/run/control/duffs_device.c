/* Duff's device: case labels inside a loop body, and a switch jumping into a conditional. */
#include <stdio.h>

static int copy(char *to, const char *from, int count)
{
    int n = (count + 7) / 8, steps = 0;
    if (count == 0) return 0;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
    case 5:      *to++ = *from++;
    case 4:      *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++; steps++;
            } while (--n > 0);
    }
    *to = 0;
    return steps;
}

static int jump(int k)
{
    int r = 0;
    switch (k) {
        if (r == 99) { case 1: r += 1; } else { case 2: r += 20; }
        r += 300;
        while (r < 2000) { r += 700; case 3: r += 5000; }
    }
    return r;
}

int main(void)
{
    const char *s = "the quick brown fox jumps over the lazy dog";
    char buf[64];
    int n;
    for (n = 1; n <= 43; n += 6) { int k = copy(buf, s, n); printf("%d %d [%s]\n", n, k, buf); }
    for (n = 0; n < 5; n++) printf("%d ", jump(n));
    printf("\n");
    return 0;
}
