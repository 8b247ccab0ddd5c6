/* strlen, strcmp, strncmp, memcmp, strcasecmp: signs only, unsigned byte order, prefixes. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sg(int x) { return (x > 0) - (x < 0); }

int main(void)
{
    static const char *w[] = { "", "a", "ab", "abc", "abd", "b", "A", "\200", "abc\0hidden" };
    int i, j;
    for (i = 0; i < 9; i++) {
        for (j = 0; j < 9; j++) printf("%2d", sg(strcmp(w[i], w[j])));
        printf("  %zu |", strlen(w[i]));
        for (j = 0; j < 4; j++) printf("%2d", sg(strncmp(w[i], "abz", j)));
        printf("\n");
    }
    printf("%d %d %d\n", sg(memcmp("abc\0x", "abc\0y", 5)), sg(memcmp("abc", "abd", 2)), sg(memcmp("\200", "\100", 1)));
    printf("%d %d %d\n", sg(strcasecmp("HeLLo", "hEllO")), sg(strcasecmp("a", "B")), sg(strncasecmp("ABx", "aby", 2)));
    printf("%zu %zu\n", strnlen("hello", 3), strnlen("hi", 10));
    printf("%d\n", !strcmp("same", "same"));
    return 0;
}
