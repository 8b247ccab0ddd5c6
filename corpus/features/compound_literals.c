/* compound literals */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct p { int x, y; };
static int get(const struct p *p) { return p->x; }
static int f(int x) { return get(&(struct p){ x, 1 }); }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
