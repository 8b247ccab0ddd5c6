/* Whether a text reads the same from both ends. */
#include <stdio.h>
#include <stdlib.h>

static int is_palindrome(const char *text)
{
    int n = 0;
    while (text[n] != '\0')
        n++;
    for (int i = 0; i < n / 2; i++)
        if (text[i] != text[n - i])
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", is_palindrome(argv[1]));
    return 0;
}
