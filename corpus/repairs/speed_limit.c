/* The fee for driving too fast: none, 30, or 80. */
#include <stdio.h>
#include <stdlib.h>

#define LIMIT 55
#define MUCH 20

static int fee(int speed)
{
    if (speed <= LIMIT)
        return 0;
    if (speed <= LIMIT + MUCH)
        return 30;
    return 80;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", fee(atoi(argv[1])));
    return 0;
}
