/* Positions in which two words of the same length differ. */
#include <stdio.h>
#include <stdlib.h>

static int distance(const char *a, const char *b)
{
    int count = 0;
    for (int i = 0; a[i] != '\0' && b[i] != '\0'; i++)
        if (a[i] == b[i])
            count++;
    return count;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    printf("%d\n", distance(argv[1], argv[2]));
    return 0;
}
