/* fgets line by line: long lines split by a small buffer, missing final newline, empty lines. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char buf[12];
    int n = 0, full = 1, line = 1;
    while (fgets(buf, sizeof buf, stdin)) {
        size_t k = strlen(buf);
        int ends = k > 0 && buf[k - 1] == '\n';
        if (ends) buf[--k] = 0;
        printf("%d%s %zu '%s'\n", line, full ? "" : "+", k, buf);
        full = ends;
        if (ends) line++;
        n++;
    }
    printf("%d chunks, %s\n", n, feof(stdin) ? "eof" : "?");
    printf("%d\n", fgets(buf, sizeof buf, stdin) == NULL);
    return 0;
}
