/* Moves for a tower of Hanoi. */
#include <stdio.h>
#include <stdlib.h>

static int hanoi(int n)
{
    if (n == 0)
        return 0;
    return hanoi(n - 1) + hanoi(n - 1);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", hanoi(atoi(argv[1])));
    return 0;
}
