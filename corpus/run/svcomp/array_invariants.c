/* Array loops with assertions: copy, partition, max, two-pointer, reverse; all assertions hold. */
#include <assert.h>
#include <stdio.h>

#define N 60
static void __VERIFIER_assert(int cond) { if (!cond) { assert(0); } }

int main(void)
{
    int a[N], b[N], c[N], i, j = 0, k = 0, max, lo, hi;
    unsigned s = 3;
    for (i = 0; i < N; i++) { s = s * 214013u + 2531011u; a[i] = (int)(s >> 16 & 0xff) - 128; }
    for (i = 0; i < N; i++) if (a[i] >= 0) { b[j] = a[i]; j++; } else { c[k] = a[i]; k++; }
    __VERIFIER_assert(j + k == N);
    for (i = 0; i < j; i++) __VERIFIER_assert(b[i] >= 0);
    for (i = 0; i < k; i++) __VERIFIER_assert(c[i] < 0);
    max = a[0];
    for (i = 0; i < N; i++) if (a[i] > max) max = a[i];
    for (i = 0; i < N; i++) __VERIFIER_assert(a[i] <= max);
    for (lo = 0, hi = N - 1; lo < hi; lo++, hi--) { int t = a[lo]; a[lo] = a[hi]; a[hi] = t; }
    for (i = 0; i < N; i++) { int x; for (x = i; x > 0 && a[x - 1] > a[x]; x--) { int t = a[x]; a[x] = a[x - 1]; a[x - 1] = t; } }
    for (i = 1; i < N; i++) __VERIFIER_assert(a[i - 1] <= a[i]);
    __VERIFIER_assert(a[N - 1] == max);
    for (lo = 0, hi = N - 1, i = 0; lo < hi;) { int sum = a[lo] + a[hi]; if (sum == 0) { i++; lo++; hi--; } else if (sum < 0) lo++; else hi--; }
    printf("%d %d %d %d %d\n", j, k, max, a[0], i);
    return 0;
}
