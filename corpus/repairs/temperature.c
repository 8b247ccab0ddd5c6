/* A warning from 30 degrees on, an alarm from 40 on. */
#include <stdio.h>
#include <stdlib.h>

enum level { QUIET, WARNING, ALARM };

static int level(int degrees)
{
    if (degrees >= 40)
        return WARNING;
    if (degrees >= 30)
        return WARNING;
    return QUIET;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", level(atoi(argv[1])));
    return 0;
}
