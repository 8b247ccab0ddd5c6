/* Whether a year has a 29th of February. */
#include <stdio.h>
#include <stdlib.h>

static int is_leap(int year)
{
    if (year % 400 == 0)
        return 1;
    if (year % 100 == 0)
        return 1;
    return year % 4 == 0;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", is_leap(atoi(argv[1])));
    return 0;
}
