// Producers and consumers with a bounded queue and two conditions.
#include <pthread.h>
#include <stdio.h>

enum { SIZE = 3, ITEMS = 25 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int items[SIZE], first, n, sum, taken;

static void *produce(void *argument)
{
    int from = *(int *)argument;
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&mutex);
        while (n == SIZE)
            pthread_cond_wait(&not_full, &mutex);
        items[(first + n) % SIZE] = from + i;
        n++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

static void *consume(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (n == 0 && taken < 2 * ITEMS)
            pthread_cond_wait(&not_empty, &mutex);
        if (n == 0) {
            pthread_mutex_unlock(&mutex);
            return unused;
        }
        sum += items[first];
        first = (first + 1) % SIZE;
        n--;
        taken++;
        if (taken == 2 * ITEMS)
            pthread_cond_broadcast(&not_empty);
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&mutex);
    }
}

int main(void)
{
    pthread_t threads[4];
    int starts[2] = { 100, 1000 };
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], 0, produce, &starts[i]);
        pthread_create(&threads[2 + i], 0, consume, 0);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    printf("%d items, sum %d\n", taken, sum);
    return 0;
}
