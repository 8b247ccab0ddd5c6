/* goto: loops made of gotos, jumps out of nested loops, into blocks and loops, backwards over declarations. */
#include <stdio.h>

static int collatz(int n)
{
    int steps = 0;
again:
    if (n == 1) goto done;
    steps++;
    if (n & 1) goto odd;
    n /= 2;
    goto again;
odd:
    n = 3 * n + 1;
    goto again;
done:
    return steps;
}

static int find(int t[3][3], int x, int *r, int *c)
{
    for (*r = 0; *r < 3; ++*r)
        for (*c = 0; *c < 3; ++*c)
            if (t[*r][*c] == x) goto found;
    return 0;
found:
    return 1;
}

static int into(int skip)
{
    int i = 0, s = 0;
    if (skip) goto inside;
    for (i = 0; i < 5; i++) {
        s += 10;
inside:
        s += i;
    }
    return s;
}

static int redo(void)
{
    int tries = 0;
retry:;
    int local = tries * 2;
    tries++;
    if (local < 7) goto retry;
    { goto in; }
    { local = -1; in: local += 100; }
    return local + tries;
}

int main(void)
{
    int t[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } }, r, c;
    printf("%d %d\n", collatz(27), collatz(97));
    printf("%d ", find(t, 6, &r, &c)); printf("%d %d ", r, c);
    printf("%d ", find(t, 10, &r, &c)); printf("%d %d\n", r, c);
    printf("%d %d\n", into(0), into(1));
    printf("%d\n", redo());
    goto end;
    puts("skipped");
end: ;
}
