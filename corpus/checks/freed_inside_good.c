// property: valid-free
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *text = calloc(8, 1);
    if (!text)
        return 1;
    char *at = text;
    while (at < text + 7 && __VERIFIER_nondet_int() > 0)
        at++;
    free(text);
    return 0;
}
