/* Greedy text wrapping and full justification at several widths. */
#include <stdio.h>
#include <string.h>

static int wrap(const char *s, int width, int justify)
{
    const char *w[32]; int len[32], lines = 0;
    while (*s) {
        int n = 0, total = 0, i, gaps;
        while (*s) {
            int k = (int)strcspn(s, " ");
            if (n && total + n + k > width) break;
            w[n] = s; len[n++] = k; total += k; s += k; s += strspn(s, " ");
        }
        gaps = n - 1;
        for (i = 0; i < n; i++) {
            int sp = i == gaps ? 0 : justify && *s ? (width - total) / gaps + (i < (width - total) % gaps) : 1;
            printf("%.*s%*s", len[i], w[i], sp, "");
        }
        printf("|\n"); lines++;
    }
    return lines;
}

int main(void)
{
    const char *t = "It is a truth universally acknowledged that a compiler in possession of a good test suite must be in want of another program";
    int w;
    for (w = 20; w <= 50; w += 15) { printf("= %d lines\n", wrap(t, w, 0)); printf("= %d lines\n", wrap(t, w, 1)); }
    wrap("unbreakablewordlongerthanwidth and more", 10, 1);
    return 0;
}
