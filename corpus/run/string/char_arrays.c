/* Initializing char arrays from strings: exact fit, no terminator, longer, braces, 2-D, pointers versus arrays. */
#include <stdio.h>
#include <string.h>

static char g[8] = "glob";
static char names[][8] = { "alpha", "beta", "gamma" };
static const char *ptrs[] = { "x", "yy", [4] = "five" };

int main(void)
{
    char exact[5] = "hello", auto_[] = "auto", longer[10] = "pad", braced[] = { "brace" }, chars[] = { 'h', 'i', 0 };
    char *p = auto_, buf[3][4] = { "abc", { 'd' }, "" };
    unsigned char uc[] = "uc\xff";
    signed char sc[3] = "\x80";
    unsigned i;
    printf("%.5s %zu %zu %zu %zu %zu\n", exact, sizeof exact, sizeof auto_, sizeof longer, sizeof braced, sizeof chars);
    for (i = 0; i < 10; i++) printf("%d ", longer[i]);
    printf("\n%s %s %zu\n", braced, chars, sizeof names / sizeof *names);
    p[0] = 'A'; *(p + 1) += 1;
    printf("%s %s\n", auto_, p + 2);
    g[4] = '!'; printf("%s %d\n", g, g[5]);
    for (i = 0; i < 3; i++) printf("%s/%s ", names[i], buf[i]);
    printf("\n%zu %d %d\n", sizeof ptrs / sizeof *ptrs, ptrs[2] == NULL, ptrs[4][3]);
    printf("%d %d %zu\n", uc[2], sc[0], sizeof uc);
    strcpy(names[1], "delta"); names[0][1] = '\0';
    for (i = 0; i < 3; i++) printf("%s %zu ", names[i], strlen(names[i]));
    printf("\n");
    return 0;
}
