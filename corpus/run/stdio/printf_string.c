/* printf strings: precision, width, left alignment, star precision; %n avoided; return values. */
#include <stdio.h>

int main(void)
{
    char raw[3] = { 'r', 'a', 'w' };
    int n, m;
    n = printf("[%s] [%10s] [%-10s] [%.3s] [%10.2s] [%-6.4s]\n", "string", "string", "string", "string", "string", "string");
    m = printf("[%.*s] [%*s] [%.0s] [%.10s] [%.3s]\n", 2, "abcdef", 8, "right", "gone", "short", raw);
    printf("%d %d\n", n, m);
    printf("%s%s%s\n", "", "a", "");
    printf("%c%c%c%s\n", 72, 'i', 33, "");
    n = printf("plain\n"); printf("%d\n", n);
    n = printf(""); printf("%d\n", n);
    printf("%5c|%-5c|\n", 'a', 'b');
    printf("%s %% %d%%\n", "percent", 50);
    printf("%1$s-%2$d-%1$s\n", "pos", 7);
    return 0;
}
