/* Arrays inside structs copied as values; matrices by value; strings in structs. */
#include <stdio.h>
#include <string.h>

typedef struct { int m[3][3]; } mat;
typedef struct { char s[16]; } str;

static mat mul(mat a, mat b)
{
    mat r = { { { 0 } } };
    int i, j, k;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            for (k = 0; k < 3; k++)
                r.m[i][j] += a.m[i][k] * b.m[k][j];
    return r;
}
static mat power(mat a, int n)
{
    mat r = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    for (; n; n >>= 1, a = mul(a, a))
        if (n & 1)
            r = mul(r, a);
    return r;
}
static str cat(str a, str b)
{
    strncat(a.s, b.s, sizeof a.s - strlen(a.s) - 1);
    return a;
}

int main(void)
{
    mat a = { { { 1, 1, 0 }, { 1, 0, 0 }, { 0, 0, -1 } } }, r;
    str x = { "hello, " }, y = { "wonderful world" };
    int i;
    for (i = 0; i < 5; i++) {
        r = power(a, i * 5);
        printf("%d %d %d %d\n", r.m[0][0], r.m[0][1], r.m[1][1], r.m[2][2]);
    }
    puts(cat(x, y).s);
    puts(cat(cat(y, x), x).s);
    puts(x.s);
    printf("%d %c\n", power(a, 3).m[0][1], cat(x, y).s[7]);
    return a.m[0][0];
}
