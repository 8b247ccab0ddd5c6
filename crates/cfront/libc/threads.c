// Locks, conditions and what belongs to them, for programs without a second thread: a lock is free unless this thread has
// it, and waiting for another thread is not modelled. process_threads.c gives the same functions threads to wait for.

typedef unsigned long size_t;

void *malloc(size_t size);
void free(void *block);

// 1 if time ran out, 0 if somebody woke this thread.
int __model_wait(const void *on, int is_timed)
{
    (void)on;
    (void)is_timed;
    __idiolect_no_threads();
    return 0;
}

// Wakes so many of those that wait, or all of them.
void __model_wake(const void *on, int n)
{
    (void)on;
    (void)n;
}

long __model_self(void)
{
    return 0;
}

void __model_yield(void)
{
}

enum { __MODEL_EPERM = 1, __MODEL_EAGAIN = 11, __MODEL_EBUSY = 16, __MODEL_EINVAL = 22, __MODEL_EDEADLK = 35, __MODEL_ETIMEDOUT = 110 };

// --- mutexes: as glibc has them ---

struct __model_mutex {
    int lock;
    unsigned count;
    int owner;
    // In the first one for 64 bits, in the second for 32.
    unsigned first;
    int second;
};

static int __model_kind(const struct __model_mutex *m)
{
    return sizeof(long) == 8 ? m->second & 3 : (int)m->first & 3;
}

static int __model_mutex_init(void *mutex, const void *attributes)
{
    struct __model_mutex *m = mutex;
    int kind = attributes ? *(const int *)attributes : 0;
    m->lock = 0;
    m->count = 0;
    m->owner = 0;
    m->first = sizeof(long) == 8 ? 0 : (unsigned)kind;
    m->second = sizeof(long) == 8 ? kind : 0;
    return 0;
}

int pthread_mutex_init(void *mutex, const void *attributes)
{
    return __model_mutex_init(mutex, attributes);
}

int pthread_mutex_destroy(void *mutex)
{
    struct __model_mutex *m = mutex;
    return m->lock ? __MODEL_EBUSY : 0;
}

static int __model_try(struct __model_mutex *m)
{
    int self = (int)__model_self() + 1;
    if (m->lock && m->owner == self && __model_kind(m) == 1) {
        m->count++;
        return 0;
    }
    if (m->lock)
        return __MODEL_EBUSY;
    m->lock = 1;
    m->count = 1;
    m->owner = self;
    return 0;
}

static int __model_mutex_lock(void *mutex)
{
    struct __model_mutex *m = mutex;
    if (m->lock && m->owner == (int)__model_self() + 1 && __model_kind(m) == 2)
        return __MODEL_EDEADLK;
    while (__model_try(m))
        __model_wait(m, 0);
    return 0;
}

int pthread_mutex_lock(void *mutex)
{
    return __model_mutex_lock(mutex);
}

static int __model_mutex_trylock(void *mutex)
{
    return __model_try(mutex);
}

int pthread_mutex_trylock(void *mutex)
{
    return __model_mutex_trylock(mutex);
}

int pthread_mutex_timedlock(void *mutex, const void *time)
{
    struct __model_mutex *m = mutex;
    (void)time;
    while (__model_try(m))
        if (__model_wait(m, 1))
            return __MODEL_ETIMEDOUT;
    return 0;
}

static int __model_mutex_unlock(void *mutex)
{
    struct __model_mutex *m = mutex;
    if (__model_kind(m) && (!m->lock || m->owner != (int)__model_self() + 1))
        return __MODEL_EPERM;
    if (m->count > 1) {
        m->count--;
        return 0;
    }
    m->lock = 0;
    m->count = 0;
    m->owner = 0;
    __model_wake(m, -1);
    return 0;
}

int pthread_mutex_unlock(void *mutex)
{
    return __model_mutex_unlock(mutex);
}

int pthread_mutexattr_init(void *attributes)
{
    *(int *)attributes = 0;
    return 0;
}

int pthread_mutexattr_destroy(void *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_mutexattr_settype(void *attributes, int kind)
{
    *(int *)attributes = kind;
    return 0;
}

int pthread_mutexattr_gettype(const void *attributes, int *kind)
{
    *kind = *(const int *)attributes;
    return 0;
}

// --- conditions ---

static int __model_cond_init(void *condition, const void *attributes)
{
    (void)attributes;
    *(int *)condition = 0;
    return 0;
}

int pthread_cond_init(void *condition, const void *attributes)
{
    return __model_cond_init(condition, attributes);
}

int pthread_cond_destroy(void *condition)
{
    (void)condition;
    return 0;
}

static int __model_cond_wait(void *condition, void *mutex)
{
    __model_mutex_unlock(mutex);
    __model_wait(condition, 0);
    __model_mutex_lock(mutex);
    return 0;
}

int pthread_cond_wait(void *condition, void *mutex)
{
    return __model_cond_wait(condition, mutex);
}

int pthread_cond_timedwait(void *condition, void *mutex, const void *time)
{
    int is_late;
    (void)time;
    __model_mutex_unlock(mutex);
    is_late = __model_wait(condition, 1);
    __model_mutex_lock(mutex);
    return is_late ? __MODEL_ETIMEDOUT : 0;
}

static int __model_cond_signal(void *condition)
{
    __model_wake(condition, 1);
    return 0;
}

int pthread_cond_signal(void *condition)
{
    return __model_cond_signal(condition);
}

static int __model_cond_broadcast(void *condition)
{
    __model_wake(condition, -1);
    return 0;
}

int pthread_cond_broadcast(void *condition)
{
    return __model_cond_broadcast(condition);
}

int pthread_condattr_init(void *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_condattr_destroy(void *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_condattr_setclock(void *attributes, int clock)
{
    (void)attributes;
    (void)clock;
    return 0;
}

// --- other locks ---

int pthread_spin_init(volatile int *lock, int shared)
{
    (void)shared;
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(volatile int *lock)
{
    (void)lock;
    return 0;
}

int pthread_spin_lock(volatile int *lock)
{
    while (*lock)
        __model_wait((const void *)lock, 0);
    *lock = 1;
    return 0;
}

int pthread_spin_trylock(volatile int *lock)
{
    if (*lock)
        return __MODEL_EBUSY;
    *lock = 1;
    return 0;
}

int pthread_spin_unlock(volatile int *lock)
{
    *lock = 0;
    __model_wake((const void *)lock, -1);
    return 0;
}

// Readers, or -1 for a writer.
int pthread_rwlock_init(void *lock, const void *attributes)
{
    (void)attributes;
    *(int *)lock = 0;
    return 0;
}

int pthread_rwlock_destroy(void *lock)
{
    (void)lock;
    return 0;
}

static int __model_rwlock_tryrdlock(void *lock)
{
    if (*(int *)lock < 0)
        return __MODEL_EBUSY;
    ++*(int *)lock;
    return 0;
}

int pthread_rwlock_tryrdlock(void *lock)
{
    return __model_rwlock_tryrdlock(lock);
}

static int __model_rwlock_trywrlock(void *lock)
{
    if (*(int *)lock)
        return __MODEL_EBUSY;
    *(int *)lock = -1;
    return 0;
}

int pthread_rwlock_trywrlock(void *lock)
{
    return __model_rwlock_trywrlock(lock);
}

int pthread_rwlock_rdlock(void *lock)
{
    while (__model_rwlock_tryrdlock(lock))
        __model_wait(lock, 0);
    return 0;
}

int pthread_rwlock_wrlock(void *lock)
{
    while (__model_rwlock_trywrlock(lock))
        __model_wait(lock, 0);
    return 0;
}

int pthread_rwlock_unlock(void *lock)
{
    if (*(int *)lock > 0)
        --*(int *)lock;
    else
        *(int *)lock = 0;
    __model_wake(lock, -1);
    return 0;
}

struct __model_barrier {
    unsigned total;
    unsigned waiting;
    unsigned generation;
};

int pthread_barrier_init(void *barrier, const void *attributes, unsigned count)
{
    struct __model_barrier *b = barrier;
    (void)attributes;
    if (!count)
        return __MODEL_EINVAL;
    b->total = count;
    b->waiting = 0;
    b->generation = 0;
    return 0;
}

int pthread_barrier_destroy(void *barrier)
{
    (void)barrier;
    return 0;
}

int pthread_barrier_wait(void *barrier)
{
    struct __model_barrier *b = barrier;
    unsigned generation = b->generation;
    if (++b->waiting == b->total) {
        b->waiting = 0;
        b->generation++;
        __model_wake(b, -1);
        return -1;
    }
    while (b->generation == generation)
        __model_wait(b, 0);
    return 0;
}

int sem_init(void *semaphore, int shared, unsigned value)
{
    (void)shared;
    *(unsigned *)semaphore = value;
    return 0;
}

int sem_destroy(void *semaphore)
{
    (void)semaphore;
    return 0;
}

int sem_wait(void *semaphore)
{
    while (!*(unsigned *)semaphore)
        __model_wait(semaphore, 0);
    --*(unsigned *)semaphore;
    return 0;
}

int sem_trywait(void *semaphore)
{
    if (!*(unsigned *)semaphore)
        return -1;
    --*(unsigned *)semaphore;
    return 0;
}

int sem_post(void *semaphore)
{
    ++*(unsigned *)semaphore;
    __model_wake(semaphore, -1);
    return 0;
}

int sem_getvalue(void *semaphore, int *value)
{
    *value = *(int *)semaphore;
    return 0;
}

// --- once, keys, and who one is ---

static int __model_once(int *once, void (*routine)(void))
{
    while (*once == 1)
        __model_wait(once, 0);
    if (*once)
        return 0;
    *once = 1;
    routine();
    *once = 2;
    __model_wake(once, -1);
    return 0;
}

int pthread_once(int *once, void (*routine)(void))
{
    return __model_once(once, routine);
}

struct __model_specific {
    struct __model_specific *next;
    long thread;
    unsigned key;
    const void *value;
};

static struct __model_specific *__model_specifics;
static unsigned __model_keys;

int pthread_key_create(unsigned *key, void (*end)(void *))
{
    (void)end;
    *key = __model_keys++;
    return 0;
}

int pthread_key_delete(unsigned key)
{
    (void)key;
    return 0;
}

static struct __model_specific *__model_find_specific(unsigned key)
{
    struct __model_specific *at = __model_specifics;
    long self = __model_self();
    while (at && (at->key != key || at->thread != self))
        at = at->next;
    return at;
}

int pthread_setspecific(unsigned key, const void *value)
{
    struct __model_specific *found = __model_find_specific(key);
    if (!found) {
        found = malloc(sizeof *found);
        if (!found)
            return 12;
        found->thread = __model_self();
        found->key = key;
        found->next = __model_specifics;
        __model_specifics = found;
    }
    found->value = value;
    return 0;
}

void *pthread_getspecific(unsigned key)
{
    struct __model_specific *found = __model_find_specific(key);
    return found ? (void *)found->value : 0;
}

static unsigned long __model_pthread_self(void)
{
    return (unsigned long)__model_self() + 1;
}

unsigned long pthread_self(void)
{
    return __model_pthread_self();
}

int pthread_equal(unsigned long a, unsigned long b)
{
    return a == b;
}

int sched_yield(void)
{
    __model_yield();
    return 0;
}

int pthread_yield(void)
{
    __model_yield();
    return 0;
}

int pthread_attr_init(void *attributes)
{
    *(int *)attributes = 0;
    return 0;
}

int pthread_attr_destroy(void *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_attr_setdetachstate(void *attributes, int state)
{
    *(int *)attributes = state;
    return 0;
}

int pthread_attr_setstacksize(void *attributes, size_t size)
{
    (void)attributes;
    (void)size;
    return 0;
}

// --- C11's names ---

int mtx_init(void *mutex, int kind)
{
    int plain = kind & 1;
    return __model_mutex_init(mutex, &plain);
}

void mtx_destroy(void *mutex)
{
    (void)mutex;
}

int mtx_lock(void *mutex)
{
    return __model_mutex_lock(mutex) ? 2 : 0;
}

int mtx_trylock(void *mutex)
{
    return __model_mutex_trylock(mutex) ? 1 : 0;
}

int mtx_unlock(void *mutex)
{
    return __model_mutex_unlock(mutex) ? 2 : 0;
}

int cnd_init(void *condition)
{
    return __model_cond_init(condition, 0);
}

void cnd_destroy(void *condition)
{
    (void)condition;
}

int cnd_wait(void *condition, void *mutex)
{
    return __model_cond_wait(condition, mutex) ? 2 : 0;
}

int cnd_signal(void *condition)
{
    return __model_cond_signal(condition);
}

int cnd_broadcast(void *condition)
{
    return __model_cond_broadcast(condition);
}

void call_once(int *once, void (*routine)(void))
{
    __model_once(once, routine);
}

unsigned long thrd_current(void)
{
    return __model_pthread_self();
}

int thrd_equal(unsigned long a, unsigned long b)
{
    return a == b;
}

void thrd_yield(void)
{
    __model_yield();
}
