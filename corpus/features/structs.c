/* structures by value */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct p { int x, y; };
static struct p swap(struct p p) { struct p q = { p.y, p.x }; return q; }
static int f(int x) { struct p p = { 1, x }; p = swap(p); return p.x; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
