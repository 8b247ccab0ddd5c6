/* `malloc`, `realloc`, `free` */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
#include <string.h>
static int f(int x) { int *p = malloc(sizeof *p); if (!p) return 0; *p = x; int *q = realloc(p, 4 * sizeof *q); if (!q) { free(p); return 0; } memmove(q + 1, q, sizeof *q); x = q[1]; free(q); return x; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
