/* sprintf and snprintf: truncation, returned lengths, appending, size zero, building tables. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char b[16], big[128];
    int n, i, len = 0;
    n = sprintf(b, "%d-%s", 42, "abc"); printf("%d %s\n", n, b);
    n = snprintf(b, sizeof b, "%s", "a string that is too long"); printf("%d %s %zu\n", n, b, strlen(b));
    n = snprintf(b, 1, "xyz"); printf("%d '%s'\n", n, b);
    strcpy(b, "keep");
    n = snprintf(b, 0, "%d", 12345); printf("%d %s\n", n, b);
    n = snprintf(NULL, 0, "%08.3f|%x", 3.14159, 255); printf("%d\n", n);
    for (i = 0; i < 8; i++) len += sprintf(big + len, "%s%d", i ? "," : "", i * i);
    printf("%s %d\n", big, len);
    n = snprintf(b, 5, "%d", -123456); printf("%d %s\n", n, b);
    sprintf(b, "%c%c", 0, 'x'); printf("%d %c\n", b[0], b[1]);
    n = snprintf(big, sizeof big, "%-20s|%20s|", "left", "right"); printf("%d %s\n", n, big);
    return 0;
}
