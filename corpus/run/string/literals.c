/* String literals: concatenation, every escape, embedded zeros, octal and hex limits, sizes. */
#include <stdio.h>
#include <string.h>

static void dump(const char *s, size_t n) { size_t i; for (i = 0; i < n; i++) printf("%02x ", (unsigned char)s[i]); printf("\n"); }

int main(void)
{
    static const char esc[] = "\a\b\f\n\r\t\v\\\'\"\?";
    const char num[] = "\0\1\12\123\1234\x41\x7f\xff";
    const char cat[] = "con" "cat" "enat" /* comment */ "ed"
        " over lines";
    const char zero[] = "in\0side";
    const char cont[] = "line \
continued";
    dump(esc, sizeof esc);
    dump(num, sizeof num);
    printf("%s %zu %zu\n", cat, sizeof cat, strlen(cat));
    printf("%s %zu %zu\n", zero, sizeof zero, strlen(zero));
    puts(zero + 3);
    puts(cont);
    printf("%zu %zu\n", sizeof "", sizeof "\0");
    printf("%d %d %d\n", 'a', '\'', '"');
    printf("%d %d\n", "abc"[3], *"abc" == 'a');
    dump("\x41" "1", 3);
    printf("%d %d\n", '\0', '\101');
    printf("100%% %c%c\n", '\x4f', 'K');
    puts("/* not a comment */ // neither");
    dump(u8"\u00e9\u20ac", 6);
    return sizeof "exit";
}
