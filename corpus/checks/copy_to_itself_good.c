// property: memory
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int table[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    int from = __VERIFIER_nondet_int();
    if (from != 0 && from != 4)
        return 0;
    memcpy(table + 4, table + from, 4 * sizeof(int));
    return table[4];
}
