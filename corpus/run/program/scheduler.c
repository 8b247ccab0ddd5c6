/* Cooperative scheduler: tasks with function pointers and private state, priorities, sleeping, finishing. */
#include <stdio.h>
#include <stdlib.h>

struct task { const char *name; int (*step)(struct task *); int state, wake, runs; void *data; struct task *next; };
static struct task *ready; static int now;
static void add(struct task *t) { struct task **p = &ready; while (*p && (*p)->wake <= t->wake) p = &(*p)->next; t->next = *p; *p = t; }
static struct task *spawn(const char *n, int (*f)(struct task *), void *d, int wake) { struct task *t = malloc(sizeof *t); *t = (struct task){ .name = n, .step = f, .data = d, .wake = wake }; add(t); return t; }
static int counter(struct task *t) { int *p = t->data; *p += t->state; return ++t->state < 4 ? 2 : -1; }
static int fib(struct task *t) { int *f = t->data, s = f[0] + f[1]; f[0] = f[1]; f[1] = s; return s < 50 ? 1 : -1; }
static int forker(struct task *t)
{
    static int kids[3];
    switch (t->state++) {
    case 0: return 3;
    case 1: spawn("kid", counter, &kids[0], now + 1);
    case 2: spawn("kid2", counter, &kids[1], now); return 5;
    default: printf("  kids %d %d\n", kids[0], kids[1]); return -1;
    }
}

int main(void)
{
    int a = 0, f[2] = { 0, 1 }, total = 0;
    spawn("count", counter, &a, 1); spawn("fib", fib, f, 0); spawn("fork", forker, NULL, 0);
    while (ready) {
        struct task *t = ready; int d;
        ready = t->next;
        if (t->wake > now) now = t->wake;
        t->runs++; total++;
        d = t->step(t);
        printf("%d:%s%s ", now, t->name, d < 0 ? "!" : "");
        if (d >= 0) { t->wake = now + d; add(t); } else free(t);
    }
    printf("\n%d %d %d %d\n", a, f[1], now, total);
    return total;
}
