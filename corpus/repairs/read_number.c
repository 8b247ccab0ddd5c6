/* A decimal number with a sign. */
#include <stdio.h>
#include <stdlib.h>

static int read_number(const char *text)
{
    int i = 0;
    int sign = 1;
    if (text[0] == '-') {
        sign = -1;
        i = 1;
    }
    int value = 0;
    while (text[i] >= '0' && text[i] < '9') {
        value = value * 10 + (text[i] - '0');
        i++;
    }
    return sign * value;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", read_number(argv[1]));
    return 0;
}
