/* Whether parentheses are balanced. */
#include <stdio.h>
#include <stdlib.h>

static int is_balanced(const char *text)
{
    int depth = 0;
    for (int i = 0; text[i] != '\0'; i++) {
        if (text[i] == '(')
            depth++;
        else
            depth--;
        if (depth < 0)
            return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", is_balanced(argv[1]));
    return 0;
}
