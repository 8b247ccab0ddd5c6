// What a program does that is made to be run: an environment, clocks, and the random numbers that glibc gives. These take
// the place of the models in stdlib.c and time.c, for which all that is unknown; proofs never see them.

typedef unsigned long size_t;

void *malloc(size_t size);
void free(void *block);
void *memcpy(void *to, const void *from, size_t n);
size_t __model_strlen(const char *s);
long __idiolect_host_variable(const char *name, char *to, size_t size);
int *__errno_location(void);
long __idiolect_host_clock(int which);
int __idiolect_host_sleep(long nanoseconds);

// --- the environment ---

struct __model_variable {
    struct __model_variable *next;
    // Null when the variable was taken away.
    char *value;
    char name[];
};

static struct __model_variable *__model_variables;

static int __model_same(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    return a[i] == b[i];
}

static struct __model_variable *__model_find_variable(const char *name)
{
    struct __model_variable *at = __model_variables;
    while (at && !__model_same(at->name, name))
        at = at->next;
    return at;
}

static struct __model_variable *__model_new_variable(const char *name)
{
    size_t n = __model_strlen(name);
    struct __model_variable *new = malloc(sizeof(struct __model_variable) + n + 1);
    if (new) {
        memcpy(new->name, name, n + 1);
        new->value = 0;
        new->next = __model_variables;
        __model_variables = new;
    }
    return new;
}

static char *__model_getenv(const char *name)
{
    struct __model_variable *known = __model_find_variable(name);
    long n;
    if (known)
        return known->value;
    n = __idiolect_host_variable(name, (char *)0, 0);
    if (n < 0)
        return 0;
    known = __model_new_variable(name);
    if (!known)
        return 0;
    known->value = malloc((size_t)n + 1);
    if (known->value)
        __idiolect_host_variable(name, known->value, (size_t)n + 1);
    return known->value;
}

char *getenv(const char *name)
{
    return __model_getenv(name);
}

char *secure_getenv(const char *name)
{
    return __model_getenv(name);
}

int setenv(const char *name, const char *value, int overwrite)
{
    size_t n = __model_strlen(value);
    struct __model_variable *known;
    char *copy;
    if (__model_getenv(name) && !overwrite)
        return 0;
    known = __model_find_variable(name);
    if (!known)
        known = __model_new_variable(name);
    copy = malloc(n + 1);
    if (!known || !copy)
        return -1;
    memcpy(copy, value, n + 1);
    known->value = copy;
    return 0;
}

int unsetenv(const char *name)
{
    struct __model_variable *known = __model_find_variable(name);
    if (!known)
        known = __model_new_variable(name);
    if (known)
        known->value = 0;
    return 0;
}

int putenv(char *setting)
{
    size_t n = 0;
    char *name;
    struct __model_variable *known;
    while (setting[n] && setting[n] != '=')
        n++;
    name = malloc(n + 1);
    if (!name)
        return -1;
    memcpy(name, setting, n);
    name[n] = 0;
    known = __model_find_variable(name);
    if (!known)
        known = __model_new_variable(name);
    if (known)
        known->value = setting[n] ? setting + n + 1 : (char *)0;
    free(name);
    return 0;
}

// --- clocks ---

struct timeval {
    long tv_sec;
    long tv_usec;
};

struct timespec {
    long tv_sec;
    long tv_nsec;
};

long time(long *out)
{
    long now = __idiolect_host_clock(0) / 1000000000;
    if (out)
        *out = now;
    return now;
}

long clock(void)
{
    return __idiolect_host_clock(2) / 1000;
}

int gettimeofday(struct timeval *out, void *zone)
{
    long now = __idiolect_host_clock(0);
    out->tv_sec = now / 1000000000;
    out->tv_usec = now % 1000000000 / 1000;
    return 0;
}

int clock_gettime(int which, struct timespec *out)
{
    long now = __idiolect_host_clock(which == 0 ? 0 : which == 2 || which == 3 ? 2 : 1);
    out->tv_sec = now / 1000000000;
    out->tv_nsec = now % 1000000000;
    return 0;
}

int timespec_get(struct timespec *out, int base)
{
    long now = __idiolect_host_clock(0);
    out->tv_sec = now / 1000000000;
    out->tv_nsec = now % 1000000000;
    return base;
}

static int __model_sleep(const struct timespec *duration)
{
    if (duration->tv_sec < 0 || duration->tv_nsec < 0 || duration->tv_nsec > 999999999)
        return 22;
    __idiolect_host_sleep(duration->tv_sec * 1000000000 + duration->tv_nsec);
    return 0;
}

int nanosleep(const struct timespec *duration, struct timespec *rest)
{
    int error = __model_sleep(duration);
    if (error) {
        *__errno_location() = error;
        return -1;
    }
    return 0;
}

int clock_nanosleep(int which, int flags, const struct timespec *until, struct timespec *rest)
{
    long now;
    if (!flags)
        return __model_sleep(until);
    now = __idiolect_host_clock(which == 0 ? 0 : which == 2 || which == 3 ? 2 : 1);
    __idiolect_host_sleep(until->tv_sec * 1000000000 + until->tv_nsec - now);
    return 0;
}

int thrd_sleep(const struct timespec *duration, struct timespec *rest)
{
    return __model_sleep(duration) ? -2 : 0;
}

unsigned sleep(unsigned seconds)
{
    __idiolect_host_sleep(seconds * 1000000000l);
    return 0;
}

int usleep(unsigned microseconds)
{
    __idiolect_host_sleep(microseconds * 1000l);
    return 0;
}

// --- random numbers: glibc's additive feedback generator, and the 48-bit linear one ---

static int __model_random_state[34];
static int __model_random_at = -1;
static unsigned __model_random_ring[31];

static void __model_seed(unsigned seed)
{
    int i = 1;
    long word;
    __model_random_state[0] = (int)(seed == 0 ? 1 : seed);
    while (i < 31) {
        word = 16807l * __model_random_state[i - 1] % 2147483647;
        if (word < 0)
            word = word + 2147483647;
        __model_random_state[i] = (int)word;
        i++;
    }
    i = 0;
    while (i < 31) {
        __model_random_ring[i] = (unsigned)__model_random_state[i];
        i++;
    }
    // 34 words are skipped to mix, and 310 more.
    __model_random_at = 0;
    i = 0;
    while (i < 310) {
        int at = __model_random_at;
        __model_random_ring[(at + 3) % 31] = __model_random_ring[(at + 3) % 31] + __model_random_ring[at];
        __model_random_at = (at + 1) % 31;
        i++;
    }
}

static long __model_random(void)
{
    unsigned sum;
    int at;
    if (__model_random_at < 0)
        __model_seed(1);
    at = __model_random_at;
    sum = __model_random_ring[(at + 3) % 31] + __model_random_ring[at];
    __model_random_ring[(at + 3) % 31] = sum;
    __model_random_at = (at + 1) % 31;
    return (long)(sum >> 1);
}

int rand(void)
{
    return (int)__model_random();
}

void srand(unsigned seed)
{
    __model_seed(seed);
}

long random(void)
{
    return __model_random();
}

void srandom(unsigned seed)
{
    __model_seed(seed);
}

int rand_r(unsigned *seed)
{
    unsigned next = *seed;
    int result;
    next = next * 1103515245 + 12345;
    result = (int)(next / 65536 % 2048);
    next = next * 1103515245 + 12345;
    result = (result << 10) ^ (int)(next / 65536 % 1024);
    next = next * 1103515245 + 12345;
    result = (result << 10) ^ (int)(next / 65536 % 1024);
    *seed = next;
    return result;
}

static unsigned long long __model_48 = 0x1234abcd330eull;

static unsigned long long __model_next_48(void)
{
    __model_48 = (__model_48 * 0x5deece66dull + 11) & 0xffffffffffffull;
    return __model_48;
}

long lrand48(void)
{
    return (long)(__model_next_48() >> 17);
}

long mrand48(void)
{
    return (long)(int)(unsigned)(__model_next_48() >> 16);
}

double drand48(void)
{
    return (double)__model_next_48() / 281474976710656.0;
}

void srand48(long seed)
{
    __model_48 = ((unsigned long long)(unsigned)seed << 16) | 0x330e;
}
