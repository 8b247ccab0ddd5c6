/* The vowels of a word. */
#include <stdio.h>
#include <stdlib.h>

static int vowels(const char *word)
{
    int count = 0;
    for (int i = 0; word[i] != '\0'; i++) {
        char c = word[i];
        if (c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'v')
            count++;
    }
    return count;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", vowels(argv[1]));
    return 0;
}
