/* One thread fills a queue, another empties it. */
#include <pthread.h>
#include <stdlib.h>

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    int items[64], n, is_done;
};

static void *fill(void *at) {
    struct queue *queue = at;
    for (int i = 0; i < 30; i++) {
        pthread_mutex_lock(&queue->lock);
        queue->items[queue->n++] = i;
        pthread_cond_signal(&queue->filled);
        pthread_mutex_unlock(&queue->lock);
    }
    pthread_mutex_lock(&queue->lock);
    queue->is_done = 1;
    pthread_cond_broadcast(&queue->filled);
    pthread_mutex_unlock(&queue->lock);
    return 0;
}

int main(void) {
    struct queue *queue = calloc(1, sizeof *queue);
    pthread_t thread;
    long sum = 0;
    pthread_mutex_init(&queue->lock, 0);
    pthread_cond_init(&queue->filled, 0);
    if (pthread_create(&thread, 0, fill, queue)) return 1;
    for (;;) {
        pthread_mutex_lock(&queue->lock);
        while (!queue->n && !queue->is_done) pthread_cond_wait(&queue->filled, &queue->lock);
        int is_over = !queue->n;
        if (!is_over) sum += queue->items[--queue->n];
        pthread_mutex_unlock(&queue->lock);
        if (is_over) break;
    }
    pthread_join(thread, 0);
    if (pthread_mutex_trylock(&queue->lock) == 0) pthread_mutex_unlock(&queue->lock);
    pthread_cond_destroy(&queue->filled);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
    return sum != 435;
}
