/* KMP search, palindromes, anagrams, Caesar and Vigenere ciphers, word reversal, number to words. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int kmp(const char *t, const char *p)
{
    int f[32], n = 0, i, k, m = (int)strlen(p);
    for (f[0] = 0, i = 1, k = 0; i < m; i++) { while (k && p[i] != p[k]) k = f[k - 1]; if (p[i] == p[k]) k++; f[i] = k; }
    for (i = k = 0; t[i]; i++) { while (k && t[i] != p[k]) k = f[k - 1]; if (t[i] == p[k]) k++; if (k == m) { n++; k = f[k - 1]; } }
    return n;
}
static int palin(const char *s) { const char *e = s + strlen(s) - 1; while (s < e) { while (s < e && !isalpha((unsigned char)*s)) s++; while (s < e && !isalpha((unsigned char)*e)) e--; if (tolower(*s++) != tolower(*e--)) return 0; } return 1; }
static int anagram(const char *a, const char *b) { int c[256] = { 0 }, i; while (*a) c[(unsigned char)*a++]++; while (*b) c[(unsigned char)*b++]--; for (i = 0; i < 256; i++) if (c[i]) return 0; return 1; }
static void vigenere(char *s, const char *key, int sign) { int i = 0; for (; *s; s++) if (islower((unsigned char)*s)) { int k = key[i++ % strlen(key)] - 'a'; *s = 'a' + (*s - 'a' + sign * k + 26) % 26; } }
static void rev(char *a, char *b) { while (a < b) { char t = *a; *a++ = *b; *b-- = t; } }
static void rev_words(char *s) { char *p = s, *q; rev(s, s + strlen(s) - 1); while (*p) { q = p; while (*q && *q != ' ') q++; rev(p, q - 1); p = *q ? q + 1 : q; } }
static void words(int n)
{
    static const char *const ones[] = { "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen" };
    static const char *const tens[] = { "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety" };
    if (n >= 1000) { words(n / 1000); printf(" thousand"); if (n % 1000) { putchar(' '); words(n % 1000); } }
    else if (n >= 100) { printf("%s hundred", ones[n / 100]); if (n % 100) { printf(" and "); words(n % 100); } }
    else if (n >= 20) { printf("%s", tens[n / 10]); if (n % 10) printf("-%s", ones[n % 10]); }
    else printf("%s", ones[n]);
}

int main(void)
{
    char s[] = "attack at dawn, repeat", w[] = "the sky is blue";
    int v[] = { 0, 7, 13, 20, 42, 100, 115, 999, 1000, 1234, 70016, 312219 }, i;
    printf("%d %d %d\n", kmp("aaaaa", "aa"), kmp("abababcab", "abab"), kmp("xyz", "q"));
    printf("%d %d %d\n", palin("A man, a plan, a canal: Panama"), palin("not one"), palin("x"));
    printf("%d %d\n", anagram("listen", "silent"), anagram("aab", "abb"));
    vigenere(s, "lemon", 1); puts(s); vigenere(s, "lemon", -1); puts(s);
    rev_words(w); puts(w);
    for (i = 0; i < 12; i++) { words(v[i]); putchar('\n'); }
    return 0;
}
