/* `_Alignas`, `_Alignof` */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#include <stdalign.h>
struct s { char c; alignas(16) int n; };
static int f(int x) { struct s s; s.n = x; return ((unsigned long)&s.n % alignof(struct s)) == 0 ? s.n : 7; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
