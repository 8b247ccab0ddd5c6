/* threads */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#include <pthread.h>
static int shared;
static void *work(void *p) { shared = *(int *)p; return 0; }
static int f(int x) { pthread_t t; if (pthread_create(&t, 0, work, &x)) return 0; pthread_join(t, 0); return shared; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
