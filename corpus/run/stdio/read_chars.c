/* getchar until EOF: counting lines, words and letters, as wc does; ungetc. */
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    int c, lines = 0, words = 0, chars = 0, in = 0, freq[26] = { 0 }, i;
    c = getchar();
    printf("first %c\n", c);
    ungetc(c, stdin);
    while ((c = getchar()) != EOF) {
        chars++;
        if (c == '\n') lines++;
        if (isspace(c)) in = 0;
        else if (!in) { in = 1; words++; }
        if (isalpha(c)) freq[tolower(c) - 'a']++;
    }
    printf("%d %d %d\n", lines, words, chars);
    for (i = 0; i < 26; i++) if (freq[i]) printf("%c%d ", 'a' + i, freq[i]);
    printf("\n%d %d\n", getchar() == EOF, feof(stdin) != 0);
    return 0;
}
