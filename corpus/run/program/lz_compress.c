/* A small LZ77 compressor with back references and its decompressor; overlapping copies. */
#include <stdio.h>
#include <string.h>

typedef unsigned char u8;
static int pack(const u8 *s, int n, u8 *o)
{
    int i = 0, k = 0;
    while (i < n) {
        int best = 0, at = 0, j;
        for (j = i > 255 ? i - 255 : 0; j < i; j++) { int l = 0; while (i + l < n && l < 200 && s[j + l] == s[i + l]) l++; if (l > best) { best = l; at = i - j; } }
        if (best > 3) { o[k++] = 0; o[k++] = at; o[k++] = best; i += best; }
        else if (s[i] == 0) { o[k++] = 0; o[k++] = 0; i++; }
        else o[k++] = s[i++];
    }
    return k;
}
static int unpack(const u8 *s, int n, u8 *o)
{
    int i = 0, k = 0;
    while (i < n)
        if (s[i]) o[k++] = s[i++];
        else if (!s[i + 1]) { o[k++] = 0; i += 2; }
        else { int back = s[i + 1], l = s[i + 2]; while (l--) { o[k] = o[k - back]; k++; } i += 3; }
    return k;
}

int main(void)
{
    static const char *const in[] = { "", "abc", "aaaaaaaaaaaaaaaaaaaaaaaa", "abcabcabcabcabcabcabd", "how much wood would a woodchuck chuck if a woodchuck could chuck wood" };
    u8 p[256], q[256];
    unsigned i; int n, m, j;
    for (i = 0; i < 5; i++) {
        n = pack((const u8 *)in[i], strlen(in[i]), p); m = unpack(p, n, q);
        printf("%zu %d %d %s: ", strlen(in[i]), n, m, m == (int)strlen(in[i]) && !memcmp(q, in[i], m) ? "ok" : "BAD");
        for (j = 0; j < n; j++) if (p[j] >= 32 && p[j] < 127) putchar(p[j]); else printf("<%d>", p[j]);
        printf("\n");
    }
    n = pack((const u8 *)"\0\0z", 3, p); m = unpack(p, n, q); printf("%d %d %d\n", n, m, q[2]);
    return 0;
}
