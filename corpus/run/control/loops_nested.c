/* do-while, for without parts, while with side effects, break and continue in nested loops. */
#include <stdio.h>

int main(void)
{
    int i, j, k, n = 0;
    do n++; while (n < 5);
    do { n += 10; continue; n = -1; } while (0);
    printf("%d\n", n);
    for (i = 0, j = 10; i < j; i++, j--) if (i == 3) continue; else n += i * j;
    printf("%d %d %d\n", n, i, j);
    for (;;) { if (++n > 200) break; if (n % 2) continue; n += 3; }
    printf("%d\n", n);
    for (i = 0; i < 4; i++) {
        for (j = 0; ; j++) { if (j > i) break; for (k = 0; k < 3; k++) { if (k == j) continue; if (k > i) break; printf("%d%d%d ", i, j, k); } }
        while (j --> 1) if (j == 2) break;
        printf("|%d\n", j);
    }
    i = 5;
    while (i--) { if (i == 3) continue; do { if (i == 1) break; printf("%d ", i); } while (0); }
    printf("%d\n", i);
    for (int a = 0, b = 1; a < 50; ) { int t = a + b; a = b; b = t; printf("%d ", a); }
    printf("\n");
    for (i = 3; i; i--) { int i = 7; i++; printf("%d ", i); }
    printf("%d\n", i);
    for (unsigned u = 3; u < 4; u--) printf("%u ", u);
    while (0) puts("never");
    if (1) if (0) puts("a"); else puts("dangling else");
    for (i = 0; i < 3; i++);
    { ; ; }
    printf("%d\n", i);
    return 0;
}
