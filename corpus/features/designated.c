/* designated initializers */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct p { int x, y, z[3]; };
static int f(int x) { struct p p = { .y = x, .z = { [2] = 1 } }; return p.x == 0 && p.z[2] == 1 && p.z[0] == 0 ? p.y : 0; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
