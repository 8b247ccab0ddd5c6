/* Arrays of pointers versus arrays of arrays; jagged rows on the heap and on the stack. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int r0[] = { 1 }, r1[] = { 2, 3 }, r2[] = { 4, 5, 6 };
    int *rows[] = { r0, r1, r2 }, n[] = { 1, 2, 3 }, i, j, s = 0;
    int **tri = malloc(7 * sizeof *tri);
    const char *const deck[][2] = { { "a", "b" }, { "c" } };
    for (i = 0; i < 3; i++) for (j = 0; j < n[i]; j++) s = s * 10 + rows[i][j];
    printf("%d\n", s);
    for (i = 0; i < 7; i++) {
        tri[i] = calloc(i + 1, sizeof **tri);
        tri[i][0] = tri[i][i] = 1;
        for (j = 1; j < i; j++) tri[i][j] = tri[i - 1][j - 1] + tri[i - 1][j];
        for (j = 0; j <= i; j++) printf("%d%c", tri[i][j], j < i ? ' ' : '\n');
    }
    for (i = 0; i < 7; i++) free(tri[i]);
    free(tri);
    printf("%s %s %d\n", deck[0][1], deck[1][0], deck[1][1] == NULL);
    printf("%zu %zu\n", sizeof rows, sizeof deck);
    rows[0] = rows[2] + 1;
    printf("%d\n", rows[0][1]);
    return 0;
}
