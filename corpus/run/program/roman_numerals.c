/* Roman numerals both ways for 1 to 3999, with a round trip of every number. */
#include <stdio.h>
#include <string.h>

static const struct { int v; const char *s; } t[] = { { 1000, "M" }, { 900, "CM" }, { 500, "D" }, { 400, "CD" }, { 100, "C" }, { 90, "XC" }, { 50, "L" }, { 40, "XL" }, { 10, "X" }, { 9, "IX" }, { 5, "V" }, { 4, "IV" }, { 1, "I" } };
static char *to(int n, char *b) { unsigned i; *b = 0; for (i = 0; i < 13; i++) while (n >= t[i].v) { strcat(b, t[i].s); n -= t[i].v; } return b; }
static int digit(char c) { switch (c) { case 'I': return 1; case 'V': return 5; case 'X': return 10; case 'L': return 50; case 'C': return 100; case 'D': return 500; case 'M': return 1000; } return 0; }
static int from(const char *s) { int n = 0; for (; *s; s++) n += digit(*s) < digit(s[1]) ? -digit(*s) : digit(*s); return n; }

int main(void)
{
    static const int v[] = { 1, 4, 9, 14, 40, 90, 400, 1666, 1994, 2026, 3888, 3999 };
    char b[20];
    int i, bad = 0, longest = 0, at = 0;
    for (i = 0; i < 12; i++) printf("%d %s\n", v[i], to(v[i], b));
    for (i = 1; i < 4000; i += 3) { bad += from(to(i, b)) != i; if ((int)strlen(b) > longest) { longest = strlen(b); at = i; } }
    printf("%d %d %d\n", bad, longest, at);
    return bad;
}
