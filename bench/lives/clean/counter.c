/* Threads that count together. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long count;

static void *work(void *times) {
    for (int i = 0; i < *(int *)times; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t threads[3];
    int *times = malloc(sizeof *times);
    *times = 20;
    for (int i = 0; i < 3; i++)
        if (pthread_create(&threads[i], 0, work, times)) return 1;
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    pthread_mutex_lock(&lock);
    int wrong = count != 60;
    pthread_mutex_unlock(&lock);
    free(times);
    return wrong;
}
