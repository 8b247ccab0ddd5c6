/* Eight sorting algorithms on the same pseudo-random data, with comparison counts. */
#include <stdio.h>
#include <string.h>

enum { N = 120 };
static int cmps;
static int less(int a, int b) { cmps++; return a < b; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }

static void bubble(int *a, int n) { int i, sw; do for (sw = 0, i = 1; i < n; i++) if (less(a[i], a[i - 1])) { swap(a + i, a + i - 1); sw = 1; } while (sw); }
static void selection(int *a, int n) { int i, j, m; for (i = 0; i < n; i++) { for (m = i, j = i + 1; j < n; j++) if (less(a[j], a[m])) m = j; swap(a + i, a + m); } }
static void insertion(int *a, int n) { int i, j, x; for (i = 1; i < n; i++) { x = a[i]; for (j = i; j > 0 && less(x, a[j - 1]); j--) a[j] = a[j - 1]; a[j] = x; } }
static void shell(int *a, int n) { int g, i, j, x; for (g = n / 2; g; g /= 2) for (i = g; i < n; i++) { x = a[i]; for (j = i; j >= g && less(x, a[j - g]); j -= g) a[j] = a[j - g]; a[j] = x; } }
static void quick(int *a, int n)
{
    int i = 0, j = n - 1, p;
    if (n < 2) return;
    p = a[n / 2];
    for (;; i++, j--) {
        while (less(a[i], p)) i++;
        while (less(p, a[j])) j--;
        if (i >= j) break;
        swap(a + i, a + j);
    }
    quick(a, i); quick(a + i, n - i);
}
static void merge(int *a, int n)
{
    int t[N], m = n / 2, i = 0, j = m, k = 0;
    if (n < 2) return;
    merge(a, m); merge(a + m, n - m);
    while (i < m && j < n) t[k++] = less(a[j], a[i]) ? a[j++] : a[i++];
    while (i < m) t[k++] = a[i++];
    while (j < n) t[k++] = a[j++];
    memcpy(a, t, n * sizeof *a);
}
static void sift(int *a, int i, int n) { int c; while ((c = 2 * i + 1) < n) { if (c + 1 < n && less(a[c], a[c + 1])) c++; if (!less(a[i], a[c])) break; swap(a + i, a + c); i = c; } }
static void heap(int *a, int n) { int i; for (i = n / 2; i-- > 0;) sift(a, i, n); while (--n > 0) { swap(a, a + n); sift(a, 0, n); } }
static void counting(int *a, int n) { int c[1000] = { 0 }, i, k = 0; for (i = 0; i < n; i++) c[a[i]]++; for (i = 0; i < 1000; i++) while (c[i]-- > 0) a[k++] = i; }

int main(void)
{
    static const struct { const char *name; void (*f)(int *, int); } s[] = { { "bubble", bubble }, { "selection", selection }, { "insertion", insertion },
        { "shell", shell }, { "quick", quick }, { "merge", merge }, { "heap", heap }, { "counting", counting } };
    int a[N], i;
    unsigned k, x, h;
    for (k = 0; k < sizeof s / sizeof *s; k++) {
        for (x = 42, i = 0; i < N; i++) { x = x * 1103515245u + 12345u; a[i] = x >> 16 & 0x1ff; }
        cmps = 0;
        s[k].f(a, N);
        for (h = i = 0; i < N; i++) { h = h * 31 + a[i]; if (i && a[i] < a[i - 1]) puts("unsorted"); }
        printf("%-10s %u %d %d %d\n", s[k].name, h, cmps, a[0], a[N - 1]);
    }
    return 0;
}
