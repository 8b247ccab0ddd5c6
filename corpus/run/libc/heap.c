/* malloc, calloc, realloc, free: zeroing, growth keeping contents, NULL cases, shrinking. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *a = malloc(4 * sizeof *a), *b, i, n = 4, s = 0;
    char *c, **t;
    for (i = 0; i < 4; i++) a[i] = i + 1;
    while (n < 300) {
        a = realloc(a, 2 * n * sizeof *a);
        for (i = n; i < 2 * n; i++) a[i] = a[i - n] + n;
        n *= 2;
    }
    for (i = 0; i < n; i++) s = (s * 31 + a[i]) % 100003;
    printf("%d %d\n", n, s);
    a = realloc(a, 3 * sizeof *a);
    printf("%d %d %d\n", a[0], a[1], a[2]);
    b = calloc(100, sizeof *b);
    for (i = s = 0; i < 100; i++) s |= b[i];
    printf("%d\n", s);
    free(b); free(a); free(NULL);
    c = realloc(NULL, 8); strcpy(c, "fresh"); puts(c); free(c);
    t = malloc(5 * sizeof *t);
    for (i = 0; i < 5; i++) { t[i] = malloc(i + 2); memset(t[i], 'a' + i, i + 1); t[i][i + 1] = 0; }
    c = t[1]; t[1] = t[3]; t[3] = c;
    for (i = 0; i < 5; i++) { printf("%s ", t[i]); free(t[i]); }
    printf("\n");
    free(t);
    c = malloc(0); free(c);
    { struct { int x; char s[4]; } *p = calloc(1, sizeof *p); printf("%d %d\n", p->x, p->s[3]); free(p); }
    return 0;
}
