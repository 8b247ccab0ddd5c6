/* exit from nested calls: output is flushed, atexit handlers run in reverse order, status kept. */
#include <stdio.h>
#include <stdlib.h>

static int depth;
static void first(void) { printf("first registered, depth %d\n", depth); }
static void second(void) { printf("second registered\n"); }
static void dive(int n)
{
    depth = n;
    if (n == 7) { printf("leaving at %d", n); exit(40 + n); }
    dive(n + 1);
    printf("never printed\n");
}

int main(void)
{
    atexit(first);
    atexit(second);
    printf("start\n");
    dive(0);
    printf("not here either\n");
    return 0;
}
