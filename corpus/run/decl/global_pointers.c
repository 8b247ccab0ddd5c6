/* Global initializers with addresses: of globals, array elements, members, functions, strings and each other. */
#include <stdio.h>

struct node { int v; struct node *next; const char *name; int *slot; };
static int cells[4] = { 10, 20, 30, 40 };
static struct node c = { 3, NULL, "c", &cells[2] }, b = { 2, &c, "b" + 0, cells + 1 }, a = { 1, &b, "xa" + 1, cells };
static struct node ring[3] = { { 0, ring + 1 }, { 1, &ring[2] }, { 2, &ring[0] } };
static int *end = cells + 4, **pp = &a.slot;
static struct { int (*f)(const char *); const char *args[3]; } cmd = { puts, { "first", "second" } };
static const char *const *argp = cmd.args + 1;
static int self = sizeof(self), *pself = &self;
static long long cast = (char)0x1ff, neg = -1u;
static unsigned char bytes[] = { 256 + 7, -1, 'x', 3.9 };
static char (*row)[4] = (char[2][4]){ "abc", "def" };
static int *nul = 0, *nul2 = (void *)0;

int main(void)
{
    struct node *p;
    int i;
    for (p = &a; p; p = p->next) printf("%d%s%d ", p->v, p->name, *p->slot);
    for (i = 0, p = ring; i < 7; i++, p = p->next) printf("%d", p->v);
    printf("\n%td %d\n", end - cells, **pp);
    cmd.f(*argp);
    printf("%d\n", cmd.args[2] == NULL);
    *pself += 1; printf("%d %lld %lld\n", self, cast, neg);
    printf("%d %d %d %d\n", bytes[0], bytes[1], bytes[2], bytes[3]);
    printf("%s %s %d\n", row[0], row[1], nul == nul2);
    *pp = end - 1; printf("%d\n", *a.slot);
    return self;
}
