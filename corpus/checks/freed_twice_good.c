// property: valid-free
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *buffer = malloc(16);
    if (!buffer)
        return 1;
    if (__VERIFIER_nondet_int() > 100) {
        free(buffer);
        buffer = 0;
    }
    free(buffer);
    return 0;
}
