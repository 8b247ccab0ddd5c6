/* anonymous structs and unions */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct s { int kind; union { int number; struct { short low, high; }; }; };
static int f(int x) { struct s s; s.number = x; return s.low + (s.high << 16); }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
