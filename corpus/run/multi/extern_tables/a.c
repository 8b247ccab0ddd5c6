/* Two files: tables and function pointers defined in one, used in the other through extern declarations. */
#include <stdio.h>

typedef int op(int, int);
extern op *const table[];
extern const int table_len;
extern const char names[][4];
extern struct pt { int x, y; } origin;
extern int weird();
int callback(int x) { return x * 2 + origin.x; }
int common;

int main(void)
{
    int i;
    for (i = 0; i < table_len; i++) printf("%s %d\n", names[i], table[i](20, 6));
    origin.x++;
    printf("%d ", weird(callback, 5)); printf("%d\n", origin.y);
    printf("%d\n", common);
    return weird(callback, 1);
}
