/* Unstructured control flow: a coroutine-like switch on a saved state with labels inside loops. */
#include <stdio.h>

struct gen { int state, i, j; };

static int next(struct gen *g)
{
    switch (g->state) {
    case 0:
        for (g->i = 1; g->i <= 3; g->i++) {
            for (g->j = 0; g->j < g->i; g->j++) {
                g->state = 1;
                return g->i * 10 + g->j;
    case 1:;
            }
        }
        g->state = 2;
    }
    return -1;
}

int main(void)
{
    struct gen g = { 0 }, h = { 0 };
    int v, n = 0;
    while ((v = next(&g)) >= 0) {
        printf("%d ", v);
        if (n++ % 2 == 0) printf("(%d) ", next(&h));
    }
    printf("\n%d %d %d\n", next(&g), next(&g), g.state);
    while ((v = next(&h)) != -1) printf("%d ", v);
    printf("\n");
    return n;
}
