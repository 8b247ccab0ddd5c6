// Two threads count without a lock: an increment may be lost.
#include <assert.h>
#include <pthread.h>

static int count;

static void *work(void *unused)
{
    for (int i = 0; i < 20; i++)
        count++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 40);
    return 0;
}
