/* strcpy, strncpy padding, strcat, strncat, memcpy, memmove with overlap, memset, strdup. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void dump(const char *s, int n) { while (n--) { if (*s) putchar(*s); else putchar('.'); s++; } putchar('\n'); }

int main(void)
{
    char a[16], b[16], *d, *r;
    memset(a, '#', sizeof a); dump(a, 16);
    r = strcpy(a, "hello"); dump(a, 16); printf("%d\n", r == a);
    strncpy(a + 6, "world", 3); dump(a, 16);
    strncpy(a, "hi", 8); dump(a, 16);
    memset(b, 0, sizeof b);
    strcat(b, "ab"); strcat(b, ""); strcat(b, "cd"); strncat(b, "efghij", 3); strncat(b, "X", 10); dump(b, 16);
    memmove(b + 2, b, 6); dump(b, 16);
    memmove(b, b + 3, 6); dump(b, 16);
    memcpy(a, b, 16); dump(a, 16);
    d = strdup("duplicate"); d[0] = 'D'; puts(d);
    r = strndup(d, 4); puts(r);
    free(d); free(r);
    r = stpcpy(a, "end"); printf("%td\n", r - a);
    { int v[4]; memset(v, 0xff, sizeof v); v[1] = 5; memcpy(v + 2, v, 2 * sizeof *v); printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }
    { int z[3] = { 1, 2, 3 }; memset(z, 0, 5); printf("%d %d %d\n", z[0], z[1], z[2]); }
    return (int)strlen(b);
}
