// Counters behind every kind of lock.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum { WORKERS = 4, ROUNDS = 15 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, again;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t tokens;
static pthread_barrier_t start;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t own;
static int counts[6], n_started, n_last;

static void begin(void)
{
    n_started++;
}

static void twice(int n)
{
    pthread_mutex_lock(&again);
    counts[1]++;
    if (n > 0)
        twice(n - 1);
    pthread_mutex_unlock(&again);
}

static void *work(void *argument)
{
    int number = *(int *)argument;
    pthread_once(&once, begin);
    if (pthread_barrier_wait(&start) == PTHREAD_BARRIER_SERIAL_THREAD)
        n_last++;
    pthread_setspecific(own, argument);
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        counts[0]++;
        pthread_mutex_unlock(&mutex);
        twice(2);
        pthread_rwlock_wrlock(&shared);
        counts[2]++;
        pthread_rwlock_unlock(&shared);
        pthread_rwlock_rdlock(&shared);
        assert(counts[2] > i);
        pthread_rwlock_unlock(&shared);
        pthread_spin_lock(&spin);
        counts[3]++;
        pthread_spin_unlock(&spin);
        sem_wait(&tokens);
        counts[4]++;
        sem_post(&tokens);
        while (pthread_mutex_trylock(&mutex))
            sched_yield();
        counts[5] += *(int *)pthread_getspecific(own);
        pthread_mutex_unlock(&mutex);
    }
    if (number == 2)
        pthread_exit((void *)20L);
    return (void *)(long)(number * 10);
}

int main(void)
{
    pthread_t all[WORKERS];
    int numbers[WORKERS];
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&again, &kind);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&tokens, 0, 1);
    pthread_barrier_init(&start, 0, WORKERS);
    pthread_key_create(&own, 0);
    for (int i = 0; i < WORKERS; i++) {
        numbers[i] = i;
        if (pthread_create(&all[i], 0, work, &numbers[i]))
            return 1;
    }
    long sum = 0;
    for (int i = 0; i < WORKERS; i++) {
        void *result;
        pthread_join(all[i], &result);
        sum += (long)result;
    }
    printf("%d %d %d %d %d %d\n", counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]);
    printf("%ld %d %d %d\n", sum, n_started, n_last, pthread_equal(pthread_self(), pthread_self()) != 0);
    return 3;
}
