/* Dynamic programming: knapsack, longest common subsequence, edit distance, coin change, longest increasing run. */
#include <stdio.h>
#include <string.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static int knapsack(const int *w, const int *v, int n, int cap)
{
    int best[101] = { 0 }, i, c;
    for (i = 0; i < n; i++) for (c = cap; c >= w[i]; c--) best[c] = MAX(best[c], best[c - w[i]] + v[i]);
    return best[cap];
}
static int lcs(const char *a, const char *b, char *out)
{
    int n = strlen(a), m = strlen(b), t[n + 1][m + 1], i, j, k;
    for (i = 0; i <= n; i++) for (j = 0; j <= m; j++) t[i][j] = !i || !j ? 0 : a[i - 1] == b[j - 1] ? t[i - 1][j - 1] + 1 : MAX(t[i - 1][j], t[i][j - 1]);
    out[k = t[n][m]] = 0;
    for (i = n, j = m; k;) if (a[i - 1] == b[j - 1]) out[--k] = a[--i], j--; else if (t[i - 1][j] >= t[i][j - 1]) i--; else j--;
    return t[n][m];
}
static int edit(const char *a, const char *b)
{
    int d[2][32], i, j, n = strlen(a), m = strlen(b);
    for (j = 0; j <= m; j++) d[0][j] = j;
    for (i = 1; i <= n; i++) {
        int *cur = d[i & 1], *old = d[~i & 1];
        for (cur[0] = i, j = 1; j <= m; j++) cur[j] = MIN(MIN(old[j], cur[j - 1]) + 1, old[j - 1] + (a[i - 1] != b[j - 1]));
    }
    return d[n & 1][m];
}
static long coins(const int *c, int n, int sum) { long w[501] = { 1 }; int i, s; for (i = 0; i < n; i++) for (s = c[i]; s <= sum; s++) w[s] += w[s - c[i]]; return w[sum]; }

int main(void)
{
    int w[] = { 12, 7, 11, 8, 9, 6, 5, 14 }, v[] = { 24, 13, 23, 15, 16, 11, 9, 28 }, c[] = { 1, 2, 5, 10, 20, 50, 100, 200 };
    char out[32];
    int i;
    for (i = 10; i <= 60; i += 10) printf("%d ", knapsack(w, v, 8, i));
    printf("\n%d ", lcs("AGGTABQWERTY", "GXTXAYBQRTYY", out)); puts(out);
    printf("%d ", lcs("abc", "xyz", out)); printf("'%s'\n", out);
    printf("%d %d %d\n", edit("kitten", "sitting"), edit("", "abc"), edit("sunday", "saturday"));
    printf("%ld %ld %ld\n", coins(c, 8, 200), coins(c, 8, 500), coins(c, 3, 7));
    return 0;
}
