/* Wide characters and strings: element size, escapes, concatenation, comparison by hand. */
#include <stddef.h>
#include <stdio.h>
#include <wchar.h>

static size_t len(const wchar_t *s) { size_t n = 0; while (s[n]) n++; return n; }

int main(void)
{
    wchar_t w[] = L"wide" L" text", c = L'x';
    const wchar_t *p = L"\x263a\u00e9!";
    size_t i;
    printf("%zu %zu %zu\n", sizeof(wchar_t), sizeof w / sizeof *w, len(w));
    for (i = 0; i < len(w); i++) putchar((char)w[i]);
    putchar('\n');
    for (i = 0; p[i]; i++) printf("%x ", (unsigned)p[i]);
    printf("%d %d\n", c, L'\377');
    w[0] = L'W'; w[4] = 0;
    printf("%c%c %zu\n", (char)w[0], (char)w[1], len(w));
    printf("%zu\n", sizeof L"ab");
    printf("%zu %zu\n", sizeof u"ab", sizeof U"ab");
    printf("%zu %zu\n", sizeof u'a', sizeof L'a');
    return 0;
}
