/* variable arguments */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#include <stdarg.h>
static int sum(int n, ...) { va_list list; int s = 0; va_start(list, n); while (n-- > 0) s += va_arg(list, int); va_end(list); return s; }
static int f(int x) { return sum(3, 1, x, 2); }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 10);
    return 0;
}
