/* formatted output */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#include <stdio.h>
static int f(int x) { char text[20]; sprintf(text, "%d", x); return text[0] == '7' && text[1] == 0; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(!f(x));
    return 0;
}
