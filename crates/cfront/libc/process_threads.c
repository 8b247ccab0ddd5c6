// Threads of a program that is made to be run. Who runs next is decided by the system around it, between any two accesses to
// memory of the program's own functions; functions here are never interrupted.

typedef unsigned long size_t;

void *malloc(size_t size);
long __idiolect_host_thread_create(void (*start)(void *), void *argument);
int __idiolect_host_thread_wait(const void *on, int is_timed);
int __idiolect_host_thread_wake(const void *on, int n);
long __idiolect_host_thread_self(int unused);
int __idiolect_host_thread_exit(int unused);
int __idiolect_host_thread_yield(int unused);

int __model_wait(const void *on, int is_timed)
{
    return __idiolect_host_thread_wait(on, is_timed);
}

void __model_wake(const void *on, int n)
{
    __idiolect_host_thread_wake(on, n);
}

long __model_self(void)
{
    return __idiolect_host_thread_self(0);
}

void __model_yield(void)
{
    __idiolect_host_thread_yield(0);
}

struct __model_thread {
    struct __model_thread *next;
    void *(*start)(void *);
    // Of C11, if it has one.
    int (*start_int)(void *);
    void *argument;
    void *result;
    long id;
    int is_done;
    int is_joined;
};

static struct __model_thread *__model_threads;

static struct __model_thread *__model_find_thread(unsigned long thread)
{
    struct __model_thread *at = __model_threads;
    while (at && at->id + 1 != (long)thread)
        at = at->next;
    return at;
}

static void __model_end_thread(struct __model_thread *thread, void *result)
{
    if (thread) {
        thread->result = result;
        thread->is_done = 1;
        __model_wake(thread, -1);
    }
    __idiolect_host_thread_exit(0);
}

static void __model_begin_thread(void *record)
{
    struct __model_thread *thread = record;
    void *result;
    thread->id = __model_self();
    if (thread->start_int)
        result = (void *)(long)thread->start_int(thread->argument);
    else
        result = thread->start(thread->argument);
    __model_end_thread(thread, result);
}

static unsigned long __model_new_thread(void *(*start)(void *), int (*start_int)(void *), void *argument)
{
    struct __model_thread *thread = malloc(sizeof *thread);
    if (!thread)
        return 0;
    thread->start = start;
    thread->start_int = start_int;
    thread->argument = argument;
    thread->result = 0;
    thread->is_done = 0;
    thread->is_joined = 0;
    thread->next = __model_threads;
    __model_threads = thread;
    thread->id = __idiolect_host_thread_create(__model_begin_thread, thread);
    return (unsigned long)thread->id + 1;
}

int pthread_create(unsigned long *thread, const void *attributes, void *(*start)(void *), void *argument)
{
    unsigned long new = __model_new_thread(start, 0, argument);
    (void)attributes;
    if (!new)
        return 11;
    *thread = new;
    return 0;
}

static int __model_join(unsigned long thread, void **result)
{
    struct __model_thread *found = __model_find_thread(thread);
    if (!found)
        return 3;
    if (found->is_joined)
        return 22;
    if (found->id == __model_self())
        return 35;
    while (!found->is_done)
        __model_wait(found, 0);
    found->is_joined = 1;
    if (result)
        *result = found->result;
    return 0;
}

static int __model_detach(unsigned long thread)
{
    struct __model_thread *found = __model_find_thread(thread);
    if (!found)
        return 3;
    found->is_joined = 1;
    return 0;
}

static void __model_exit_thread(void *result)
{
    __model_end_thread(__model_find_thread((unsigned long)__model_self() + 1), result);
}

int pthread_join(unsigned long thread, void **result)
{
    return __model_join(thread, result);
}

int pthread_detach(unsigned long thread)
{
    return __model_detach(thread);
}

void pthread_exit(void *result)
{
    __model_exit_thread(result);
}

int thrd_create(unsigned long *thread, int (*start)(void *), void *argument)
{
    unsigned long new = __model_new_thread(0, start, argument);
    if (!new)
        return 3;
    *thread = new;
    return 0;
}

int thrd_join(unsigned long thread, int *result)
{
    void *value;
    if (__model_join(thread, &value))
        return 2;
    if (result)
        *result = (int)(long)value;
    return 0;
}

int thrd_detach(unsigned long thread)
{
    return __model_detach(thread) ? 2 : 0;
}

void thrd_exit(int result)
{
    __model_exit_thread((void *)(long)result);
}
