/* scanf in a loop: mixed numbers, stopping at a word, reading it, then characters. */
#include <stdio.h>

int main(void)
{
    int n, x, k = 0, r;
    long sum = 0;
    double d;
    char w[20], op;
    r = scanf("%d", &n);
    printf("%d %d\n", r, n);
    while (n-- > 0 && scanf("%d", &x) == 1) { sum += x; k++; }
    printf("%d %ld\n", k, sum);
    r = scanf("%d", &x); printf("%d\n", r);
    r = scanf("%19s", w); printf("%d %s\n", r, w);
    while (scanf("%lf %c %d", &d, &op, &x) == 3) {
        switch (op) {
        case '+': d += x; break;
        case '*': d *= x; break;
        case '/': d /= x; break;
        }
        printf("%g\n", d);
    }
    r = scanf("%s", w); printf("%d %s\n", r, w);
    r = scanf("%d", &x); printf("%d\n", r == EOF);
    return 0;
}
