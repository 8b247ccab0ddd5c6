/* qsort and bsearch with several comparators: ints, strings, structs with total orders, descending. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rec { char name[8]; int age; };
static int up(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int down(const void *a, const void *b) { return up(b, a); }
static int str(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int rec(const void *a, const void *b)
{
    const struct rec *x = a, *y = b;
    return x->age != y->age ? x->age - y->age : strcmp(x->name, y->name);
}
static int by_key(const void *k, const void *e) { return *(const int *)k - ((const struct rec *)e)->age; }

int main(void)
{
    int a[50], i, k, *p;
    const char *w[] = { "pear", "apple", "fig", "banana", "date" };
    struct rec r[] = { { "zoe", 30 }, { "al", 25 }, { "bob", 30 }, { "cy", 41 }, { "di", 25 } }, *q;
    unsigned s = 12345;
    for (i = 0; i < 50; i++) { s = s * 1103515245u + 12345u; a[i] = (int)(s >> 16 & 1023) - 512; }
    qsort(a, 50, sizeof *a, up);
    for (i = 0; i < 50; i += 7) printf("%d ", a[i]);
    for (k = 0, i = 1; i < 50; i++) k += a[i - 1] > a[i];
    printf("bad %d\n", k);
    p = bsearch(&a[20], a, 50, sizeof *a, up); printf("%d\n", p && *p == a[20]);
    k = 9999; printf("%d\n", bsearch(&k, a, 50, sizeof *a, up) == NULL);
    qsort(a, 50, sizeof *a, down); printf("%d\n", a[0] >= a[49]);
    qsort(a + 10, 5, sizeof *a, up);
    for (i = 8; i < 17; i++) printf("%d ", a[i] - a[10]);
    printf("\n");
    qsort(w, 5, sizeof *w, str);
    for (i = 0; i < 5; i++) printf("%s ", w[i]);
    printf("\n");
    qsort(r, 5, sizeof *r, rec);
    for (i = 0; i < 5; i++) printf("%s%d ", r[i].name, r[i].age);
    k = 41; q = bsearch(&k, r, 5, sizeof *r, by_key); printf("%s\n", q ? q->name : "?");
    qsort(a, 0, sizeof *a, up); qsort(a, 1, sizeof *a, up);
    return 0;
}
