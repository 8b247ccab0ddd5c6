/* bit-fields */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct s { unsigned a : 3, b : 5; int c : 4; };
static int f(int x) { struct s s = {0}; s.a = 7; s.b = x; s.c = -1; return s.c == -1 && s.a == 7 ? s.b : 0; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
