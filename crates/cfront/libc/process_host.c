// What a program asks of the system beside files, environment and clocks, when it is made to be run: locks on files,
// memory in pages, users, limits. It is alone on its system, of one user and without shared libraries.

typedef unsigned long size_t;

void *malloc(size_t size);
void free(void *block);
void *memset(void *to, int byte, size_t n);
int *__errno_location(void);
int __model_pid_of_process(void);
int __model_raise(int number);
int __idiolect_host_fstat(int descriptor, long *out);
int __idiolect_host_stat(const char *path, long *out);
long __idiolect_host_seek(int descriptor, long offset, int whence);
int __idiolect_host_resize(int descriptor, long size);
long __idiolect_host_read(int descriptor, char *to, size_t n);
long __idiolect_host_clock(int which);
int __idiolect_host_align(void *block, size_t alignment);
void __idiolect_fcntl_command(void);
void __idiolect_exit(int status);
void __idiolect_abort(void);

// --- locks and flags of descriptors ---

struct flock {
    short l_type;
    short l_whence;
    long l_start;
    long l_len;
    int l_pid;
};

static int __model_fcntl(int descriptor, int command, void *argument)
{
    long out[3];
    if (__idiolect_host_fstat(descriptor, out) < 0) {
        *__errno_location() = 9;
        return -1;
    }
    // Nobody else holds a lock.
    if (command == 5) {
        ((struct flock *)argument)->l_type = 2;
        return 0;
    }
    if (command == 6 || command == 7 || command == 2)
        return 0;
    // No descriptor is closed on `exec` unless somebody says so, and nobody calls `exec`.
    if (command == 1)
        return 0;
    __idiolect_fcntl_command();
    return -1;
}

int fcntl(int descriptor, int command, ...)
{
    __builtin_va_list rest;
    void *argument = 0;
    if (command == 5) {
        __builtin_va_start(rest, command);
        argument = __builtin_va_arg(rest, void *);
        __builtin_va_end(rest);
    }
    return __model_fcntl(descriptor, command, argument);
}

int fcntl64(int descriptor, int command, ...)
{
    __builtin_va_list rest;
    void *argument = 0;
    if (command == 5) {
        __builtin_va_start(rest, command);
        argument = __builtin_va_arg(rest, void *);
        __builtin_va_end(rest);
    }
    return __model_fcntl(descriptor, command, argument);
}

int flock(int descriptor, int operation)
{
    long out[3];
    if (__idiolect_host_fstat(descriptor, out) >= 0)
        return 0;
    *__errno_location() = 9;
    return -1;
}

int lockf(int descriptor, int command, long n)
{
    long out[3];
    if (__idiolect_host_fstat(descriptor, out) >= 0)
        return 0;
    *__errno_location() = 9;
    return -1;
}

// --- pages, and blocks at round addresses ---

static void *__model_aligned(size_t alignment, size_t size)
{
    void *block = malloc(size);
    if (block)
        __idiolect_host_align(block, alignment);
    return block;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return __model_aligned(alignment, size);
}

void *memalign(size_t alignment, size_t size)
{
    return __model_aligned(alignment, size);
}

void *valloc(size_t size)
{
    return __model_aligned(4096, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *block;
    if (alignment < sizeof(void *) || (alignment & (alignment - 1ul)) != 0)
        return 22;
    block = __model_aligned(alignment, size);
    if (!block)
        return 12;
    *out = block;
    return 0;
}

// Files can be mapped to be read, or for changes that stay in memory. Where changes should reach the file, the file system
// says that it has no such mappings.
static void *__model_map(size_t length, int protection, int flags, int descriptor, long offset)
{
    long out[3];
    long at;
    char *block;
    int is_anonymous = (flags & 32) != 0;
    if (length == 0) {
        *__errno_location() = 22;
        return (void *)-1l;
    }
    if (!is_anonymous && __idiolect_host_fstat(descriptor, out) < 0) {
        *__errno_location() = 9;
        return (void *)-1l;
    }
    if (!is_anonymous && (flags & 1) != 0 && (protection & 2) != 0) {
        *__errno_location() = 19;
        return (void *)-1l;
    }
    block = __model_aligned(4096, (length + 4095) / 4096 * 4096);
    if (!block) {
        *__errno_location() = 12;
        return (void *)-1l;
    }
    memset(block, 0, (length + 4095) / 4096 * 4096);
    if (!is_anonymous) {
        at = __idiolect_host_seek(descriptor, 0, 1);
        if (__idiolect_host_seek(descriptor, offset, 0) >= 0)
            __idiolect_host_read(descriptor, block, length);
        __idiolect_host_seek(descriptor, at, 0);
    }
    return block;
}

void *mmap(void *wanted, size_t length, int protection, int flags, int descriptor, long offset)
{
    return __model_map(length, protection, flags, descriptor, offset);
}

void *mmap64(void *wanted, size_t length, int protection, int flags, int descriptor, long offset)
{
    return __model_map(length, protection, flags, descriptor, offset);
}

int munmap(void *block, size_t length)
{
    free(block);
    return 0;
}

int mprotect(void *block, size_t length, int protection)
{
    return 0;
}

int madvise(void *block, size_t length, int advice)
{
    return 0;
}

int msync(void *block, size_t length, int flags)
{
    return 0;
}

int mlock(const void *block, size_t length)
{
    return 0;
}

int munlock(const void *block, size_t length)
{
    return 0;
}

int getpagesize(void)
{
    return 4096;
}

// What it does not know has no limit.
long sysconf(int name)
{
    if (name == 30)
        return 4096;
    if (name == 83 || name == 84)
        return 1;
    if (name == 2)
        return 100;
    return name == 4 ? 1024 : -1;
}

// --- users, libraries, times, other processes ---

// As glibc lays them out. There is one user, whose folder is the program's.
struct passwd {
    char *pw_name;
    char *pw_passwd;
    unsigned pw_uid;
    unsigned pw_gid;
    char *pw_gecos;
    char *pw_dir;
    char *pw_shell;
};

struct group {
    char *gr_name;
    char *gr_passwd;
    unsigned gr_gid;
    char **gr_mem;
};

static struct passwd __model_user = { "user", "x", 1000, 1000, "", "/", "/bin/sh" };
static char *__model_no_members[1];
static struct group __model_group = { "user", "x", 1000, __model_no_members };

static int __model_is_user(const char *name)
{
    return name[0] == 'u' && name[1] == 's' && name[2] == 'e' && name[3] == 'r' && name[4] == 0;
}

struct passwd *getpwuid(unsigned user)
{
    return user == 1000 ? &__model_user : (struct passwd *)0;
}

struct passwd *getpwnam(const char *name)
{
    return __model_is_user(name) ? &__model_user : (struct passwd *)0;
}

struct group *getgrgid(unsigned group)
{
    return group == 1000 ? &__model_group : (struct group *)0;
}

struct group *getgrnam(const char *name)
{
    return __model_is_user(name) ? &__model_group : (struct group *)0;
}

char *getlogin(void)
{
    return __model_user.pw_name;
}

void *dlopen(const char *path, int flags)
{
    return 0;
}

void *dlsym(void *library, const char *name)
{
    return 0;
}

int dlclose(void *library)
{
    return -1;
}

char *dlerror(void)
{
    return "shared libraries cannot be opened";
}

struct __model_times {
    long seconds;
    long microseconds;
};

struct rusage {
    struct __model_times ru_utime;
    struct __model_times ru_stime;
    long others[14];
};

int getrusage(int whose, struct rusage *to)
{
    long now = __idiolect_host_clock(2);
    memset(to, 0, sizeof(struct rusage));
    to->ru_utime.seconds = now / 1000000000;
    to->ru_utime.microseconds = now % 1000000000 / 1000;
    return 0;
}

// Times of files are not kept.
static int __model_touch(const char *path)
{
    long out[3];
    if (__idiolect_host_stat(path, out) >= 0)
        return 0;
    *__errno_location() = 2;
    return -1;
}

int utimes(const char *path, const struct __model_times *times)
{
    return __model_touch(path);
}

int utime(const char *path, const void *times)
{
    return __model_touch(path);
}

// As a shell shows it that a signal ended a process.
void __model_default_action(int number)
{
    if (number == 6)
        __idiolect_abort();
    __idiolect_exit(128 + number);
}

int kill(int process, int number)
{
    if (process != 0 && process != __model_pid_of_process()) {
        *__errno_location() = 3;
        return -1;
    }
    return number == 0 ? 0 : __model_raise(number);
}

// Files have no holes here, so that only the length counts.
int posix_fallocate(int descriptor, long offset, long length)
{
    long out[3];
    if (offset < 0 || length <= 0)
        return 22;
    if (__idiolect_host_fstat(descriptor, out) < 0)
        return 9;
    if (out[1] >= offset + length)
        return 0;
    return -__idiolect_host_resize(descriptor, offset + length);
}
