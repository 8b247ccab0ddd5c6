/* Gives back a mutex that was never taken, because nothing was to be done. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void add(int amount) {
    if (amount > 0) {
        pthread_mutex_lock(&lock);
        total += amount;
#ifdef FIXED
        pthread_mutex_unlock(&lock);
#endif
    }
#ifndef FIXED
    pthread_mutex_unlock(&lock); /* BUG */
#endif
}

int main(void) {
    add(0);
    return total;
}
