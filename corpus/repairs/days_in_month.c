/* Days of a month in a year that is no leap year. */
#include <stdio.h>
#include <stdlib.h>

static int days(int month)
{
    if (month == 2)
        return 28;
    if (month == 4 || month == 6 || month == 9 && month == 11)
        return 30;
    return 31;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", days(atoi(argv[1])));
    return 0;
}
