// Models of a little of <unistd.h>, <fcntl.h>, <signal.h> and <locale.h>: what programs on standard streams need.
//
// Descriptor 0 is standard input, 1 and 2 are recorded. Every other descriptor is an unknown file: bytes read are
// inputs, bytes written vanish.

typedef unsigned long size_t;

struct _IO_FILE;

int __idiolect_stdin(void);
int __idiolect_env_int(const char *name);
void __idiolect_exit(int status);
void __idiolect_abort(void);
int *__errno_location(void);
int __model_file_byte(void);
int __model_putc(int c, struct _IO_FILE *stream);
struct _IO_FILE *__model_stream_of(int descriptor);

// Reads until `size` bytes are there or the input ends, as from a regular file; a terminal would stop at the end of a
// line. Characters which a stream gave back are not seen here.
long __model_read(int descriptor, void *to, size_t size)
{
    unsigned char *bytes = to;
    size_t i = 0;
    int c = 0;
    if (descriptor < 0) {
        *__errno_location() = 9;
        return -1;
    }
    while (i < size && c >= 0) {
        if (descriptor == 0)
            c = __idiolect_stdin();
        else
            c = __model_file_byte();
        if (c >= 0) {
            bytes[i] = (unsigned char)c;
            i++;
        }
    }
    return (long)i;
}

long read(int descriptor, void *to, size_t size)
{
    return __model_read(descriptor, to, size);
}

long write(int descriptor, const void *from, size_t size)
{
    const unsigned char *bytes = from;
    struct _IO_FILE *stream = __model_stream_of(descriptor);
    size_t i = 0;
    if (descriptor < 0) {
        *__errno_location() = 9;
        return -1;
    }
    while (i < size) {
        __model_putc(bytes[i], stream);
        i++;
    }
    return (long)size;
}

// -1 and ENOENT when the input is 0, otherwise always the same descriptor.
static int __model_open_descriptor(const char *input_name)
{
    if (__idiolect_env_int(input_name) == 0) {
        *__errno_location() = 2;
        return -1;
    }
    return 3;
}

int open(const char *path, int flags, ...)
{
    return __model_open_descriptor("open");
}

int open64(const char *path, int flags, ...)
{
    return __model_open_descriptor("open");
}

int creat(const char *path, unsigned mode)
{
    return __model_open_descriptor("creat");
}

int close(int descriptor)
{
    if (descriptor < 0) {
        *__errno_location() = 9;
        return -1;
    }
    return 0;
}

long lseek(int descriptor, long offset, int whence)
{
    return __idiolect_env_int("lseek") & 0x7fffffff;
}

int unlink(const char *path)
{
    return __idiolect_env_int("unlink") == 0 ? 0 : -1;
}

int access(const char *path, int mode)
{
    return __idiolect_env_int("access") == 0 ? 0 : -1;
}

// Standard streams are files or pipes.
int isatty(int descriptor)
{
    *__errno_location() = 25;
    return 0;
}

// Time does not pass.
unsigned sleep(unsigned seconds)
{
    return 0;
}

int usleep(unsigned microseconds)
{
    return 0;
}

unsigned alarm(unsigned seconds)
{
    return 0;
}

// Positive, and the same for the whole run.
static int __model_pid;

int __model_pid_of_process(void)
{
    if (__model_pid == 0)
        __model_pid = __idiolect_env_int("getpid") & 0x3fffff;
    if (__model_pid == 0)
        __model_pid = 1;
    return __model_pid;
}

int getpid(void)
{
    return __model_pid_of_process();
}

int getppid(void)
{
    return 1;
}

unsigned getuid(void)
{
    return 1000;
}

unsigned geteuid(void)
{
    return 1000;
}

unsigned getgid(void)
{
    return 1000;
}

unsigned getegid(void)
{
    return 1000;
}

int getpagesize(void)
{
    return 4096;
}

void _exit(int status)
{
    __idiolect_exit(status);
}

// Signals never arrive from outside; a handler is kept so that `raise` can call it. A signal without a handler ends the
// run like `abort`.
static void (*__model_handlers[65])(int);

void (*signal(int number, void (*handler)(int)))(int)
{
    void (*old)(int);
    if (number < 1 || number > 64) {
        *__errno_location() = 22;
        return (void (*)(int))-1l;
    }
    old = __model_handlers[number];
    __model_handlers[number] = handler;
    return old;
}

void __model_default_action(int number)
{
    __idiolect_abort();
}

int __model_raise(int number)
{
    if (number < 1 || number > 64)
        return -1;
    // 0 is the default action and 1 is "ignore". SIGCHLD, SIGCONT, SIGURG and SIGWINCH are ignored by default.
    if (__model_handlers[number] == (void (*)(int))1l)
        return 0;
    if (__model_handlers[number] != (void (*)(int))0) {
        __model_handlers[number](number);
        return 0;
    }
    if (number == 17 || number == 18 || number == 23 || number == 28)
        return 0;
    __model_default_action(number);
    return -1;
}

int raise(int number)
{
    return __model_raise(number);
}

// Only the "C" locale, also known as "POSIX"; asking for the environment's gives "C", for the environment is empty.
char *setlocale(int category, const char *locale)
{
    if (!locale || locale[0] == 0 || (locale[0] == 'C' && locale[1] == 0))
        return "C";
    if (locale[0] == 'P' && locale[1] == 'O' && locale[2] == 'S' && locale[3] == 'I' && locale[4] == 'X'
        && locale[5] == 0)
        return "C";
    return 0;
}

// As glibc lays it out.
struct lconv {
    char *decimal_point;
    char *thousands_sep;
    char *grouping;
    char *int_curr_symbol;
    char *currency_symbol;
    char *mon_decimal_point;
    char *mon_thousands_sep;
    char *mon_grouping;
    char *positive_sign;
    char *negative_sign;
    char numbers[14];
};

static struct lconv __model_conventions = {
    ".", "", "", "", "", "", "", "", "", "",
    {127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127}};

struct lconv *localeconv(void)
{
    return &__model_conventions;
}

// --- signal sets and actions: signals come from `raise` alone, so that none is ever blocked ---

struct __model_sigset {
    unsigned long bits[16];
};

struct __model_sigaction {
    void (*handler)(int);
    struct __model_sigset mask;
    int flags;
    void (*restorer)(void);
};

static int __model_empty_set(struct __model_sigset *set)
{
    int i = 0;
    while (i < 16) {
        set->bits[i] = 0;
        i++;
    }
    return 0;
}

int sigemptyset(struct __model_sigset *set)
{
    return __model_empty_set(set);
}

int sigfillset(struct __model_sigset *set)
{
    int i = 0;
    while (i < 16) {
        set->bits[i] = ~0ul;
        i++;
    }
    return 0;
}

int sigaddset(struct __model_sigset *set, int number)
{
    if (number < 1 || number > 64) {
        *__errno_location() = 22;
        return -1;
    }
    set->bits[0] = set->bits[0] | 1ul << (number - 1) % (8 * sizeof(long));
    return 0;
}

int sigdelset(struct __model_sigset *set, int number)
{
    if (number < 1 || number > 64) {
        *__errno_location() = 22;
        return -1;
    }
    set->bits[0] = set->bits[0] & ~(1ul << (number - 1) % (8 * sizeof(long)));
    return 0;
}

int sigprocmask(int how, const struct __model_sigset *set, struct __model_sigset *old)
{
    if (old)
        __model_empty_set(old);
    return 0;
}

int sigaction(int number, const struct __model_sigaction *new, struct __model_sigaction *old)
{
    if (number < 1 || number > 64) {
        *__errno_location() = 22;
        return -1;
    }
    if (old) {
        old->handler = __model_handlers[number];
        __model_empty_set(&old->mask);
        old->flags = 0;
        old->restorer = 0;
    }
    if (new)
        __model_handlers[number] = new->handler;
    return 0;
}
