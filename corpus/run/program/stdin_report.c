/* Records from standard input with sscanf: totals by category, sorted report, malformed lines counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rec { char name[16]; int qty; double price; };
struct cat { char name[16]; int n; double sum; };
static int by_sum(const void *a, const void *b) { const struct cat *x = a, *y = b; return x->sum < y->sum ? 1 : x->sum > y->sum ? -1 : strcmp(x->name, y->name); }

int main(void)
{
    struct cat *c = NULL; int n = 0, bad = 0, i, line = 0; char buf[64];
    while (fgets(buf, sizeof buf, stdin)) {
        struct rec r; char extra;
        line++;
        if (sscanf(buf, "%15[a-z_] , %d , %lf %c", r.name, &r.qty, &r.price, &extra) != 3) { bad++; printf("line %d: bad\n", line); continue; }
        for (i = 0; i < n && strcmp(c[i].name, r.name); i++) ;
        if (i == n) { c = realloc(c, ++n * sizeof *c); memset(&c[i], 0, sizeof *c); strcpy(c[i].name, r.name); }
        c[i].n += r.qty; c[i].sum += r.qty * r.price;
    }
    qsort(c, n, sizeof *c, by_sum);
    for (i = 0; i < n; i++) printf("%-10s %4d %10.2f %6.3f\n", c[i].name, c[i].n, c[i].sum, c[i].sum / c[i].n);
    free(c);
    return bad;
}
