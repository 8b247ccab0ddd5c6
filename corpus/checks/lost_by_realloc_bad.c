// property: valid-memtrack
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *text = malloc(4);
    if (!text)
        return 1;
    text[0] = 'a';
    if (__VERIFIER_nondet_int() > 0) {
        char *longer = malloc(8);
        if (!longer) {
            free(text);
            return 1;
        }
        text = longer;
        text[7] = 'b';
    }
    free(text);
    return 0;
}
