// Locks of a library that nobody uses from two threads.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static int take(int n)
{
    int taken = 0;
    pthread_mutex_lock(&mutex);
    if (n > 0 && n <= balance) {
        balance -= n;
        taken = n;
    }
    pthread_mutex_unlock(&mutex);
    return taken;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    balance = 10;
    assert(take(n) <= 10);
    assert(balance >= 0);
    return 0;
}
