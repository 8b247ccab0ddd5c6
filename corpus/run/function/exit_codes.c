/* The exit status is the low eight bits of main's value. */
#include <stdio.h>

static int classify(int x) { return x < 0 ? 2 : x == 0 ? 0 : 1; }

int main(int argc, char **argv)
{
    int s = 0, i;
    for (i = -2; i <= 2; i++) s = s * 3 + classify(i);
    printf("%d %d %d\n", s, argc, argv[argc] == NULL);
    return 0x1200 + s;
}
