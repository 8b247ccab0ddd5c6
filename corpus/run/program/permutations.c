/* Permutations and combinations: Heap's algorithm, lexicographic next, subsets by masks, Gray order. */
#include <stdio.h>
#include <string.h>

static int count; static unsigned h;
static void swap(char *a, char *b) { char t = *a; *a = *b; *b = t; }
static void heap(char *s, int k)
{
    int i;
    if (k == 1) { count++; for (i = 0; s[i]; i++) h = h * 31 + s[i]; if (count <= 6) printf("%s ", s); return; }
    for (i = 0; i < k; i++) { heap(s, k - 1); swap(&s[k % 2 ? 0 : i], &s[k - 1]); }
}
static int next(char *s)
{
    int n = strlen(s), i = n - 2, j = n - 1;
    while (i >= 0 && s[i] >= s[i + 1]) i--;
    if (i < 0) return 0;
    while (s[j] <= s[i]) j--;
    swap(s + i, s + j);
    for (i++, j = n - 1; i < j; i++, j--) swap(s + i, s + j);
    return 1;
}
static void choose(const char *s, int k, char *out, int n) { if (!k) { out[n] = 0; printf("%s ", out); return; } for (; *s; s++) { out[n] = *s; choose(s + 1, k - 1, out, n + 1); } }

int main(void)
{
    char a[] = "abcde", b[] = "aabbc", out[8];
    int n = 1, m;
    heap(a, 5); printf("%d %u\n", count, h);
    do if (n <= 4) printf("%s ", b); while (next(b) && ++n);
    printf("%d %s\n", n, b);
    choose("vwxyz", 3, out, 0); printf("\n");
    for (m = 0; m < 8; m++) { int g = m ^ m >> 1, i; putchar('{'); for (i = 0; i < 3; i++) if (g >> i & 1) putchar('a' + i); putchar('}'); }
    putchar('\n');
    return n;
}
