/* strtok and strtok_r: several delimiters, leading and trailing ones, changing sets, nested use. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char a[] = ";;one;two,,three; ;four;", b[] = "k1=v1&k2=v2&&k3", c[] = "path:to file", *p, *s1, *s2;
    int n = 0;
    for (p = strtok(a, ";,"); p; p = strtok(NULL, ";,")) printf("%d[%s] ", n++, p);
    printf("\n");
    for (p = strtok_r(b, "&", &s1); p; p = strtok_r(NULL, "&", &s1)) {
        char *k = strtok_r(p, "=", &s2), *v = strtok_r(NULL, "=", &s2);
        printf("%s -> %s\n", k, v ? v : "null");
    }
    p = strtok(c, ":"); printf("%s ", p);
    p = strtok(NULL, " "); printf("%s ", p);
    p = strtok(NULL, ""); printf("%s ", p);
    p = strtok(NULL, ":"); printf("%d\n", p == NULL);
    { char e[] = "---"; printf("%d\n", strtok(e, "-") == NULL); }
    {
        char m[] = "a,b,,c", *q = m, *t;
        while ((t = strsep(&q, ","))) printf("<%s>", t);
        printf("\n");
    }
    for (n = 0; n < 12; n++) putchar(a[n] ? a[n] : '0');
    putchar('\n');
    return 0;
}
