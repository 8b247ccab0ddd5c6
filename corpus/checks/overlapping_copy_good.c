// property: valid-deref
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char line[16] = "abcdefgh";
    int by = __VERIFIER_nondet_int();
    if (by < 1 || by > 8)
        return 0;
    memmove(line + by, line, 4);
    return line[0];
}
