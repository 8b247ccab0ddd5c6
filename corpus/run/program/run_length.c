/* Run-length encoding and decoding of text and bits, with counts of several digits. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void encode(const char *s, char *o) { while (*s) { int n = 1; while (s[n] == *s) n++; if (n > 1) o += sprintf(o, "%d", n); *o++ = *s; s += n; } *o = '\0'; }
static void decode(const char *s, char *o)
{
    int n = 0;
    for (; *s; s++)
        if (isdigit((unsigned char)*s)) n = n * 10 + *s - '0';
        else { if (!n) n = 1; do *o++ = *s; while (--n); }
    *o = 0;
}
static int runs(unsigned x) { int n = 1; for (; x >> 1; x >>= 1) n += (x ^ x >> 1) & 1; return n; }

int main(void)
{
    static const char *const in[] = { "", "a", "aab", "WWWWWWWWWWWWBWWWWWWWWWWWWBBBWWW", "abcdef", "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "  x  " };
    char e[64], d[64];
    unsigned i;
    for (i = 0; i < sizeof in / sizeof *in; i++) { encode(in[i], e); decode(e, d); printf("[%s] %zu -> [%s] %zu %s\n", in[i], strlen(in[i]), e, strlen(e), strcmp(in[i], d) ? "BAD" : "ok"); }
    for (i = 1; i < 300; i += 37) printf("%d ", runs(i));
    printf("\n");
    return 0;
}
