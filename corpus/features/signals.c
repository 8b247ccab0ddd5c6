/* signals by `raise` */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#include <signal.h>
static volatile sig_atomic_t seen;
static void on(int number) { seen = number; }
static int f(int x) { signal(SIGUSR1, on); if (x == 7) raise(SIGUSR1); return seen != 0; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(!f(x));
    return 0;
}
