/* Every ctype predicate over ASCII, and toupper/tolower. */
#include <ctype.h>
#include <stdio.h>

static int rank(int (*f)(int)) { int c, h = 0; for (c = -1; c < 256; c++) if (f(c)) h = (h * 31 + c + 7) % 1000003; return h; }

int main(void)
{
    int c;
    const char *s = "Mixed CASE, 42 & \ttabs_\n";
    for (c = 0; c < 128; c++) {
        int m = !!isalpha(c) | !!isdigit(c) << 1 | !!isspace(c) << 2 | !!isupper(c) << 3 | !!islower(c) << 4 | !!ispunct(c) << 5
            | !!isxdigit(c) << 6 | !!iscntrl(c) << 7 | !!isprint(c) << 8 | !!isgraph(c) << 9 | !!isalnum(c) << 10 | !!isblank(c) << 11;
        printf("%03x%c", m, c % 16 == 15 ? '\n' : ' ');
    }
    for (; *s; s++) putchar(isupper((unsigned char)*s) ? tolower(*s) : toupper(*s));
    printf("%d %d %d\n", toupper('['), tolower('@'), toupper(EOF) == EOF);
    printf("%d %d %d\n", rank(isalpha), rank(ispunct), rank(isspace));
    return 0;
}
