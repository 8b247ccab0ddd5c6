/* flexible array members */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
struct s { int n; int data[]; };
static int f(int x) { struct s *s = malloc(sizeof *s + 3 * sizeof(int)); if (!s) return 0; s->data[2] = x; x = s->data[2]; free(s); return x; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
