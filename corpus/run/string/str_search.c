/* strchr, strrchr, strstr, strspn, strcspn, strpbrk, memchr and the terminator as a target. */
#include <stdio.h>
#include <string.h>

static void at(const char *s, const char *p) { if (p) printf("%td ", p - s); else printf("none "); }

int main(void)
{
    const char *s = "hello, world of worlds";
    at(s, strchr(s, 'o')); at(s, strrchr(s, 'o')); at(s, strchr(s, 'z')); at(s, strchr(s, 0)); at(s, strrchr(s, 0));
    printf("\n");
    at(s, strstr(s, "world")); at(s, strstr(s, "worlds")); at(s, strstr(s, "")); at(s, strstr(s, "words")); at(s, strstr(s, "ss"));
    printf("\n");
    printf("%zu %zu %zu %zu\n", strspn(s, "elh"), strcspn(s, " ,"), strspn(s, ""), strcspn(s, "Z"));
    at(s, strpbrk(s, "rw")); at(s, strpbrk(s, "XYZ")); at(s, memchr(s, 'w', 7)); at(s, memchr(s, 'w', 8));
    printf("\n");
    {
        const char *p = s; int n = 0;
        while ((p = strstr(p, "or"))) { n++; p += 2; }
        printf("%d\n", n);
        for (n = 0, p = s; *p; p += strcspn(p, " "), p += strspn(p, " ")) printf("[%.*s]", (int)strcspn(p, " "), p);
        printf("\n");
    }
    printf("%s %s\n", strchr("key=value", '=') + 1, strrchr("/usr/lib/x.so", '/') + 1);
    at(s, strchr(s, 'o' + 256)); printf("\n");
    return 0;
}
