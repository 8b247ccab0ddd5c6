/* The way out for errors unlocks once more. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int slots = 2;

static int take(void) {
    int got = 0;
    pthread_mutex_lock(&lock);
    if (slots > 0) {
        slots--;
        got = 1;
    }
    pthread_mutex_unlock(&lock);
#ifndef FIXED
    if (!got) pthread_mutex_unlock(&lock); /* BUG */
#endif
    return got;
}

int main(void) {
    int n = take() + take() + take();
    return n != 2;
}
