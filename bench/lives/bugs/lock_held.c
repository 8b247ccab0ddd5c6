/* An early return keeps the mutex. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int table[4], used;

static int put(int value) {
    pthread_mutex_lock(&lock); /* BUG */
    if (used == 4) {
#ifdef FIXED
        pthread_mutex_unlock(&lock);
#endif
        return 0;
    }
    table[used++] = value;
    pthread_mutex_unlock(&lock);
    return 1;
}

int main(void) {
    int n = 0;
    for (int i = 0; i < 5; i++) n += put(i);
    return n != 4;
}
