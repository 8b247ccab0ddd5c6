/* The cleanup idiom: several labels unwound in order after a failure at each stage. */
#include <stdio.h>
#include <stdlib.h>

static int live;
static void *grab(int fail) { if (fail) return NULL; live++; return malloc(8); }
static void drop(void *p) { live--; free(p); }

static int work(int fail_at)
{
    int rc = -1;
    char *a, *b, *c;
    if (!(a = grab(fail_at == 1))) goto out;
    if (!(b = grab(fail_at == 2))) goto free_a;
    if (!(c = grab(fail_at == 3))) goto free_b;
    if (fail_at == 4) { rc = -4; goto free_c; }
    rc = live;
free_c:
    drop(c); printf("c");
free_b:
    drop(b); printf("b");
free_a:
    drop(a); printf("a");
out:
    printf("\n");
    return rc;
}

int main(void)
{
    int i;
    for (i = 0; i <= 4; i++) { int r = work(i); printf("%d: %d live %d\n", i, r, live); }
    return live;
}
