// Two locks that are taken in two orders.
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void *to_right(void *unused)
{
    pthread_mutex_lock(&left);
    moved++;
    pthread_mutex_lock(&right);
    moved++;
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return unused;
}

static void *to_left(void *unused)
{
    pthread_mutex_lock(&right);
    moved--;
    pthread_mutex_lock(&left);
    moved--;
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, to_right, 0);
    pthread_create(&b, 0, to_left, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return moved;
}
