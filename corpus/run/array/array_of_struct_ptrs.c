/* Indexing in unusual forms: negative indices from the middle, index expressions with side effects. */
#include <stdio.h>

struct rec { int id; char name[8]; };

int main(void)
{
    int a[9] = { 0, 1, 2, 3, 4, 5, 6, 7, 8 }, *mid = a + 4, i = 0;
    struct rec r[3] = { { 1, "ann" }, { 2, "bob" }, { 3, "cat" } }, *p = r, *idx[3];
    unsigned char k = 255;
    long off = -3;
    printf("%d %d %d\n", mid[-4], mid[off], mid[4]);
    a[i++] = 100; a[i++] = 200; a[++i] = 300;
    printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], i);
    printf("%d\n", a[(unsigned char)(k + 2)]);
    printf("%d\n", a[a[a[5]] - 3]);
    for (i = 0; i < 3; i++) idx[i] = &r[(i + 1) % 3];
    printf("%s %d %c\n", idx[0]->name, idx[2]->id, (*idx[1]).name[1]);
    printf("%d\n", p++->id);
    printf("%d\n", (++p)->id);
    printf("%s %s\n", (p - 1)->name, p[-2].name);
    printf("%c\n", "hex:0123456789abcdef"[4 + 11]);
    printf("%c%c\n", 1["ab"], *("cd" + 1));
    a[8] = a[7] = a[6]++;
    printf("%d %d %d\n", a[6], a[7], a[8]);
    return 0;
}
