// C11's own threads and atomics.
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>

static atomic_int total;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static mtx_t mutex;
static cnd_t changed;
static int plain, ready;

static int work(void *argument)
{
    mtx_lock(&mutex);
    while (!ready)
        cnd_wait(&changed, &mutex);
    mtx_unlock(&mutex);
    for (int i = 0; i < 30; i++) {
        atomic_fetch_add(&total, 1);
        while (atomic_flag_test_and_set(&busy))
            thrd_yield();
        plain++;
        atomic_flag_clear(&busy);
        int old = atomic_load(&total);
        while (!atomic_compare_exchange_weak(&total, &old, old + 2))
            ;
    }
    return *(int *)argument;
}

int main(void)
{
    thrd_t a, b;
    int one = 1, two = 2, first, second;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    if (thrd_create(&a, work, &one) != thrd_success || thrd_create(&b, work, &two) != thrd_success)
        return 1;
    mtx_lock(&mutex);
    ready = 1;
    cnd_broadcast(&changed);
    mtx_unlock(&mutex);
    thrd_join(a, &first);
    thrd_join(b, &second);
    printf("%d %d %d %d\n", atomic_load(&total), plain, first, second);
    return 0;
}
