/* Mutual recursion across files, with inline functions of the same name in both. */
#include <stdio.h>

int is_odd(unsigned n);
static inline unsigned dec(unsigned n) { return n - 1; }
int depth;
int is_even(unsigned n) { depth++; return n ? is_odd(dec(n)) : 1; }

int main(void)
{
    unsigned n;
    for (n = 0; n < 8; n++) printf("%u %d %d\n", n, is_even(n), is_odd(n));
    printf("%d\n", depth);
    return is_even(11) + 2 * is_odd(11);
}
