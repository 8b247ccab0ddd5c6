/* Plain char is signed here: comparisons, promotions, indexing and character constants. */
#include <limits.h>
#include <stdio.h>

int main(void)
{
    char c = '\xff';
    unsigned char u = '\xff';
    int i, count = 0;
    unsigned char table[256];
    char text[] = "a\200\377z";
    printf("%d %d %d\n", c, u, c == u);
    printf("%d %d %d\n", c == EOF, '\xff', '\377');
    printf("%d %d %d\n", CHAR_MIN, CHAR_MAX, (char)128);
    printf("%d\n", c < 0 ? -1 : 1);
    for (i = 0; i < 256; i++)
        table[i] = (unsigned char)(i * 7);
    for (i = 0; text[i]; i++) {
        count += table[(unsigned char)text[i]];
        printf("%d:%d ", text[i], table[(unsigned char)text[i]]);
    }
    printf("%d\n", count);
    for (c = 120, i = 0; c > 0 && i < 20; c++, i++)
        ;
    printf("%d %d\n", c, i);
    u = 250;
    for (i = 0; u > 3; u++)
        i++;
    printf("%d %d\n", u, i);
    printf("%zu %zu\n", sizeof 'a', sizeof c);
    printf("%d %d\n", 'A' + 1, 'z' - 'a');
    printf("%u %x\n", (unsigned)(char)-2, (unsigned)(unsigned char)-2);
    return 0;
}
