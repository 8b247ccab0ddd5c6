/* The recorder that is preloaded into traced programs. Generated code follows at the end.
 *
 * Every thread writes its lines into a file of its own, by way of a shared mapping: no descriptor
 * stays open that the program could close or inherit, no line is torn between threads, and what was
 * written is there even if the process is killed. A line begins with a number that all threads of
 * the process draw from one counter; `idiolect trace` puts the lines into that order.
 *
 * Nothing here calls a function that an API file is likely to trace, and errno is kept. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define HIDDEN static __attribute__((unused))
#define FAST __thread __attribute__((tls_model("initial-exec")))

struct idiolect_line {
    char *at;
    char *end;
    long process;
    char text[4096];
};

static volatile uint64_t idiolect_counter;
static uint64_t idiolect_start;
static long idiolect_process;
/* Where lines are left. It comes from the environment, so that the same library serves every trace. */
static char idiolect_folder[1024];
static volatile int idiolect_ready;
static pthread_key_t idiolect_key;

/* The window of this thread's file that is mapped. */
static FAST char *idiolect_base;
static FAST size_t idiolect_size, idiolect_used, idiolect_offset;
/* Bytes behind what is used: the line of a call that has not returned. */
static FAST size_t idiolect_waiting;
static FAST long idiolect_thread;
static FAST volatile int idiolect_busy;
/* Files that are appended to are not those that are mapped. */
#define IDIOLECT_APART 1000000000

HIDDEN uint64_t idiolect_now(clockid_t clock) {
    struct timespec now;
    syscall(SYS_clock_gettime, clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

HIDDEN uint64_t idiolect_next(void) {
    return __atomic_add_fetch(&idiolect_counter, 1, __ATOMIC_RELAXED);
}

/* ---- text ---- */

HIDDEN void idiolect_char(struct idiolect_line *line, char c) {
    if (line->at < line->end) *line->at++ = c;
}

HIDDEN void idiolect_text(struct idiolect_line *line, const char *text) {
    while (*text) idiolect_char(line, *text++);
}

HIDDEN void idiolect_number(struct idiolect_line *line, uint64_t n) {
    char digits[20];
    int i = 0;
    do digits[i++] = (char)('0' + n % 10); while (n /= 10);
    while (i) idiolect_char(line, digits[--i]);
}

HIDDEN void idiolect_hex(struct idiolect_line *line, uint64_t n) {
    char digits[16];
    int i = 0;
    do digits[i++] = "0123456789abcdef"[n % 16]; while (n /= 16);
    idiolect_text(line, "0x");
    while (i) idiolect_char(line, digits[--i]);
}

HIDDEN void idiolect_quoted(struct idiolect_line *line, const char *text) {
    if (!text) {
        idiolect_char(line, '0');
        return;
    }
    idiolect_char(line, '"');
    for (int i = 0; text[i]; i++) {
        unsigned char c = (unsigned char)text[i];
        if (i == IDIOLECT_LONGEST) {
            idiolect_text(line, "...");
            break;
        }
        if (c == '"' || c == '\\') {
            idiolect_char(line, '\\');
            idiolect_char(line, (char)c);
        } else if (c < 32 || c > 126) {
            idiolect_text(line, "\\x");
            idiolect_char(line, "0123456789abcdef"[c / 16]);
            idiolect_char(line, "0123456789abcdef"[c % 16]);
        } else {
            idiolect_char(line, (char)c);
        }
    }
    idiolect_char(line, '"');
}

/* How a value is written: by the class of its type, and whether it has a sign or is a string. */
#define IDIOLECT_SIGNED 1
#define IDIOLECT_STRING 2
#define IDIOLECT_FLOAT 3
#define IDIOLECT_DOUBLE 4
#define IDIOLECT_LONG_DOUBLE 5
#define IDIOLECT_KIND(v)                                                                           \
    _Generic((v), char: IDIOLECT_SIGNED, signed char: IDIOLECT_SIGNED, short: IDIOLECT_SIGNED,     \
             int: IDIOLECT_SIGNED, long: IDIOLECT_SIGNED, long long: IDIOLECT_SIGNED,              \
             const char *: IDIOLECT_STRING, float: IDIOLECT_FLOAT, double: IDIOLECT_DOUBLE,        \
             long double: IDIOLECT_LONG_DOUBLE, default: 0)
#define IDIOLECT_IS_POINTER(v) (__builtin_classify_type(v) == 5)

HIDDEN void idiolect_value(struct idiolect_line *line, const void *at, size_t size, int kind,
                           int is_pointer) {
    const unsigned char *bytes = at;
    uint64_t n = 0;
    if (kind == IDIOLECT_STRING) {
        idiolect_quoted(line, *(const char *const *)at);
        return;
    }
    if (kind == IDIOLECT_FLOAT || kind == IDIOLECT_DOUBLE || kind == IDIOLECT_LONG_DOUBLE) {
        char text[64];
        double d = kind == IDIOLECT_FLOAT    ? *(const float *)at
                   : kind == IDIOLECT_DOUBLE ? *(const double *)at
                                             : (double)*(const long double *)at;
        snprintf(text, sizeof text, "%.17g", d);
        idiolect_text(line, text);
        return;
    }
    if (size > 8) { /* a structure */
        idiolect_char(line, '{');
        for (size_t i = 0; i < size && i < 32; i++) {
            idiolect_char(line, "0123456789abcdef"[bytes[i] / 16]);
            idiolect_char(line, "0123456789abcdef"[bytes[i] % 16]);
        }
        idiolect_char(line, '}');
        return;
    }
    for (size_t i = 0; i < size; i++) ((unsigned char *)&n)[i] = bytes[i];
    if (is_pointer) {
        idiolect_hex(line, n);
        return;
    }
    if (kind == IDIOLECT_SIGNED) {
        int64_t s = size >= 8 ? (int64_t)n : (int64_t)(n << (64 - 8 * size)) >> (64 - 8 * size);
        if (s < 0) {
            idiolect_char(line, '-');
            n = 0 - (uint64_t)s;
        } else {
            n = (uint64_t)s;
        }
    }
    idiolect_number(line, n);
}

HIDDEN int idiolect_present(const void *at, size_t size, int is_pointer) {
    const unsigned char *bytes = at;
    if (!is_pointer) return 1;
    for (size_t i = 0; i < size; i++)
        if (bytes[i]) return 1;
    return 0;
}
#define IDIOLECT_PRESENT(v) idiolect_present(&(v), sizeof(v), IDIOLECT_IS_POINTER(v))

#define IDIOLECT_PUT(line, name, v)                                                                \
    do {                                                                                           \
        idiolect_text(line, name);                                                                 \
        idiolect_value(line, &(v), sizeof(v), IDIOLECT_KIND(v), IDIOLECT_IS_POINTER(v));           \
    } while (0)

/* ---- files ---- */

HIDDEN void idiolect_path(struct idiolect_line *path, long process, uint64_t start, long thread) {
    path->at = path->text;
    path->end = path->text + sizeof path->text - 1;
    idiolect_text(path, idiolect_folder);
    idiolect_char(path, '/');
    idiolect_number(path, start);
    idiolect_char(path, '-');
    idiolect_number(path, (uint64_t)process);
    idiolect_char(path, '-');
    idiolect_number(path, (uint64_t)thread);
    *path->at = 0;
}

/* Appends to a file that is opened for this one time: headers, and children of vfork. */
HIDDEN void idiolect_append(long process, long thread, const char *text, size_t n) {
    struct idiolect_line path;
    idiolect_path(&path, process, idiolect_start, thread);
    long fd = syscall(SYS_openat, AT_FDCWD, path.text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
                      0600);
    if (fd < 0) return;
    syscall(SYS_write, fd, text, n);
    syscall(SYS_close, fd);
}

/* A line about the process: its parent and its command. */
HIDDEN void idiolect_header(void) {
    struct idiolect_line line;
    char command[512];
    line.at = line.text;
    line.end = line.text + sizeof line.text - 1;
    idiolect_number(&line, (uint64_t)syscall(SYS_getppid));
    idiolect_char(&line, ' ');
    long fd = syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0);
    long n = fd < 0 ? 0 : syscall(SYS_read, fd, command, sizeof command);
    if (fd >= 0) syscall(SYS_close, fd);
    for (long i = 0; i + 1 < n; i++)
        idiolect_char(&line, command[i] < 32 ? ' ' : command[i]);
    idiolect_char(&line, '\n');
    idiolect_append(idiolect_process, 0, line.text, (size_t)(line.at - line.text));
}

/* Every module whose code is known, so that addresses can be told apart later. */
static void idiolect_announce(void);

/* A child of fork has its own files; those of its parent are no longer its business. */
static void idiolect_forked(void) {
    if (idiolect_base) syscall(SYS_munmap, idiolect_base, idiolect_size);
    idiolect_base = 0;
    idiolect_offset = 0;
    idiolect_waiting = 0;
    idiolect_thread = 0;
    idiolect_busy = 0;
    idiolect_process = syscall(SYS_getpid);
    idiolect_start = idiolect_now(CLOCK_MONOTONIC);
    idiolect_header();
    /* The numbers of the parent up to here were drawn before the fork. */
    struct idiolect_line line;
    line.at = line.text;
    line.end = line.text + sizeof line.text - 1;
    idiolect_text(&line, "forked ");
    idiolect_number(&line, idiolect_counter);
    idiolect_char(&line, '\n');
    idiolect_append(idiolect_process, 0, line.text, (size_t)(line.at - line.text));
    idiolect_announce();
}

static void idiolect_thread_ends(void *unused) {
    (void)unused;
    if (idiolect_base) syscall(SYS_munmap, idiolect_base, idiolect_size);
    idiolect_base = 0;
    idiolect_size = idiolect_used = 0;
}

__attribute__((constructor)) static void idiolect_set_up(void) {
    static volatile int begun;
    if (__atomic_exchange_n(&begun, 1, __ATOMIC_ACQ_REL)) return;
    int saved = errno;
    static const char name[] = "IDIOLECT_TRACE_FOLDER=";
    for (char **at = environ; at && *at; at++) {
        size_t i = 0;
        while (name[i] && (*at)[i] == name[i]) i++;
        if (name[i]) continue;
        for (size_t n = 0; (*at)[i] && n + 1 < sizeof idiolect_folder; n++)
            idiolect_folder[n] = (*at)[i++];
        break;
    }
    idiolect_process = syscall(SYS_getpid);
    idiolect_start = idiolect_now(CLOCK_MONOTONIC);
    idiolect_header();
    pthread_key_create(&idiolect_key, idiolect_thread_ends);
    pthread_atfork(0, 0, idiolect_forked);
    __atomic_store_n(&idiolect_ready, 1, __ATOMIC_RELEASE);
    errno = saved;
}

/* Maps the next window of this thread's file. Blocks are reserved beforehand, so that a full disk is
 * an error here and not a signal later. */
HIDDEN int idiolect_window(void) {
    struct idiolect_line path;
    if (!idiolect_thread) {
        idiolect_thread = syscall(SYS_gettid);
        pthread_setspecific(idiolect_key, &idiolect_thread);
    }
    size_t size = idiolect_size ? idiolect_size * 2 : 65536;
    if (size > 4u << 20) size = 4u << 20;
    if (idiolect_base) {
        /* The call that was waiting has returned, and its line goes to the next window. */
        for (size_t i = 0; i < idiolect_waiting; i++) idiolect_base[idiolect_used + i] = 0;
        syscall(SYS_munmap, idiolect_base, idiolect_size);
    }
    idiolect_base = 0;
    idiolect_path(&path, idiolect_process, idiolect_start, idiolect_thread);
    long fd = syscall(SYS_openat, AT_FDCWD, path.text, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) return 0;
    long base = -1;
    if (syscall(SYS_fallocate, fd, 0, idiolect_offset, size) == 0 ||
        syscall(SYS_ftruncate, fd, idiolect_offset + size) == 0)
        base = syscall(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, idiolect_offset);
    syscall(SYS_close, fd);
    if (base < 0 && base > -4096) return 0;
    idiolect_base = (char *)base;
    idiolect_size = size;
    idiolect_used = 0;
    idiolect_waiting = 0;
    idiolect_offset += size;
    return 1;
}

/* A key has always the same length, so that it can be written again. */
#define IDIOLECT_KEY 14
HIDDEN void idiolect_set_key(struct idiolect_line *line, uint64_t key) {
    for (int i = IDIOLECT_KEY; i--; key /= 10) line->text[i] = (char)('0' + key % 10);
}

HIDDEN void idiolect_begin(struct idiolect_line *line, void *site) {
    /* Room for the end of the line whatever comes before. */
    line->end = line->text + sizeof line->text - 8;
    line->at = line->text + IDIOLECT_KEY;
    idiolect_set_key(line, idiolect_next());
    idiolect_char(line, ' ');
#if IDIOLECT_TIMES
    idiolect_number(line, idiolect_now(CLOCK_REALTIME));
#else
    idiolect_char(line, '0');
#endif
    idiolect_char(line, ' ');
    idiolect_number(line, (uint64_t)site);
    idiolect_char(line, ' ');
}

HIDDEN int idiolect_room(size_t n) {
    return (idiolect_base && idiolect_used + n <= idiolect_size) || idiolect_window();
}

/* What is known before the call stands behind what is used until the call returns, so that a call in
 * which the process ends is not lost. */
HIDDEN void idiolect_enter(struct idiolect_line *line) {
    size_t n = (size_t)(line->at - line->text);
    if (!idiolect_ready) idiolect_set_up();
    line->process = syscall(SYS_getpid);
    if (line->process != idiolect_process || !idiolect_ready || idiolect_busy) return;
    idiolect_busy = 1;
    if (idiolect_room(n + 2)) {
        char *to = idiolect_base + idiolect_used;
        for (size_t i = 0; i < n; i++) to[i] = line->text[i];
        to[n] = '?';
        to[n + 1] = '\n';
        for (size_t i = n + 2; i < idiolect_waiting; i++) to[i] = 0;
        idiolect_waiting = n + 2;
    }
    idiolect_busy = 0;
}

HIDDEN void idiolect_finish(struct idiolect_line *line) {
    line->end = line->text + sizeof line->text;
    idiolect_text(line, ")\n");
    size_t n = (size_t)(line->at - line->text);
    if (!idiolect_ready) idiolect_set_up();
    if (line->process != idiolect_process) line->process = syscall(SYS_getpid);
    if (line->process != idiolect_process || !idiolect_ready || idiolect_busy) {
        /* A child that shares our memory, a call from before the libraries were set up, or a signal
         * handler's call while a line was being written. */
        idiolect_append(line->process, syscall(SYS_gettid) + IDIOLECT_APART, line->text, n);
        return;
    }
    idiolect_busy = 1;
    if (idiolect_room(n)) {
        char *to = idiolect_base + idiolect_used;
        idiolect_used += n;
        for (size_t i = 0; i < n; i++) to[i] = line->text[i];
        for (size_t i = n; i < idiolect_waiting; i++) to[i] = 0;
        idiolect_waiting = 0;
    } else {
        idiolect_append(line->process, 0, "lost\n", 5);
    }
    idiolect_busy = 0;
}

/* ---- whose calls ---- */

struct idiolect_range {
    uintptr_t low, high, bias;
    const char *path;
    int wanted;
};
static struct idiolect_range idiolect_ranges[2][1024];
static volatile int idiolect_n_ranges, idiolect_which, idiolect_looking, idiolect_looks;

HIDDEN int idiolect_is_wanted_module(const char *path, int is_program) {
    const char *wanted = IDIOLECT_FROM, *name = path;
    if (!*wanted) return is_program;
    for (const char *at = path; *at; at++)
        if (*at == '/') name = at + 1;
    while (*wanted && *name == *wanted) name++, wanted++;
    /* `libXt` names `libXt.so.6`, and `_socket` names `_socket.cpython-312.so`. */
    return !*wanted && (!*name || *name == '.' || *name == '-');
}

struct idiolect_found {
    struct idiolect_range *to;
    int n, modules;
};

static int idiolect_module(struct dl_phdr_info *info, size_t size, void *data) {
    struct idiolect_found *found = data;
    int wanted = idiolect_is_wanted_module(info->dlpi_name, found->modules++ == 0);
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X) || found->n >= 1024) continue;
        found->to[found->n].low = info->dlpi_addr + header->p_vaddr;
        found->to[found->n].high = info->dlpi_addr + header->p_vaddr + header->p_memsz;
        found->to[found->n].bias = info->dlpi_addr;
        found->to[found->n].path = info->dlpi_name;
        found->to[found->n++].wanted = wanted;
    }
    return 0;
}

static void idiolect_announce(void) {
    struct idiolect_range *ranges = idiolect_ranges[idiolect_which];
    struct idiolect_line line;
    for (int i = 0; i < idiolect_n_ranges; i++) {
        char program[1024];
        const char *path = ranges[i].path;
        if (!path || !*path) {
            long n = syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", program, sizeof program - 1);
            program[n < 0 ? 0 : n] = 0;
            path = program;
        }
        line.at = line.text;
        line.end = line.text + sizeof line.text - 1;
        idiolect_text(&line, "module ");
        idiolect_number(&line, ranges[i].low);
        idiolect_char(&line, ' ');
        idiolect_number(&line, ranges[i].high);
        idiolect_char(&line, ' ');
        idiolect_number(&line, ranges[i].bias);
        idiolect_char(&line, ' ');
        idiolect_text(&line, path);
        idiolect_char(&line, '\n');
        idiolect_append(idiolect_process, 0, line.text, (size_t)(line.at - line.text));
    }
}

HIDDEN int idiolect_wanted(void *address) {
    uintptr_t at = (uintptr_t)address;
    if (IDIOLECT_FROM_ALL && !idiolect_ready) return 1;
    for (;;) {
        struct idiolect_range *ranges = idiolect_ranges[idiolect_which];
        for (int i = 0; i < idiolect_n_ranges; i++)
            if (at - ranges[i].low < ranges[i].high - ranges[i].low)
                return IDIOLECT_FROM_ALL || ranges[i].wanted;
        /* Code that was loaded since, or made at run time; the latter is not looked for for ever. */
        if (idiolect_looks > 4096 || __atomic_exchange_n(&idiolect_looking, 1, __ATOMIC_ACQUIRE))
            return IDIOLECT_FROM_ALL;
        struct idiolect_found found = {idiolect_ranges[!idiolect_which], 0, 0};
        idiolect_looks++;
        dl_iterate_phdr(idiolect_module, &found);
        int grown = found.n != idiolect_n_ranges;
        idiolect_n_ranges = 0;
        idiolect_which = !idiolect_which;
        idiolect_n_ranges = found.n;
        if (grown) {
            int saved = errno;
            if (!idiolect_ready) idiolect_set_up();
            idiolect_announce();
            errno = saved;
        }
        __atomic_store_n(&idiolect_looking, 0, __ATOMIC_RELEASE);
        if (!grown) return IDIOLECT_FROM_ALL;
    }
}

/* ---- the functions themselves ---- */

struct idiolect_wish {
    const char *name;
    void *own, *found;
};

static int idiolect_look_in(struct dl_phdr_info *info, size_t size, void *data) {
    struct idiolect_wish *wish = data;
    (void)size;
    if (!*info->dlpi_name) return 0;
    void *module = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (!module) return 0;
    void *found = dlsym(module, wish->name);
    dlclose(module);
    if (!found || found == wish->own) return 0;
    wish->found = found;
    return 1;
}

/* The function that we stand in for. A library that was loaded privately is not among the next. */
HIDDEN void *idiolect_find(const char *name, void *own) {
    int saved = errno;
    struct idiolect_wish wish = {name, own, dlsym(RTLD_NEXT, name)};
    if (!wish.found) dl_iterate_phdr(idiolect_look_in, &wish);
    if (!wish.found) {
        struct idiolect_line line;
        line.at = line.text;
        line.end = line.text + sizeof line.text;
        idiolect_text(&line, "idiolect: cannot find the function ");
        idiolect_text(&line, name);
        idiolect_char(&line, '\n');
        syscall(SYS_write, 2, line.text, (size_t)(line.at - line.text));
        __builtin_trap();
    }
    errno = saved;
    return wish.found;
}

/* ---- callbacks ---- */

struct idiolect_closure {
    void *function, *closure;
    struct idiolect_closure *next;
};
static struct idiolect_closure *volatile idiolect_closures[1024];

/* The one closure of a function and its closure. Lists only grow, so that nobody has to wait; pages
 * are mapped, because malloc may be what is traced. */
HIDDEN void *idiolect_closure(void *function, void *closure) {
    static char *volatile page;
    static volatile size_t left;
    static volatile int taken;
    size_t slot = ((uintptr_t)function / 16 + (uintptr_t)closure / 8) % 1024;
    struct idiolect_closure *found = idiolect_closures[slot];
    for (; found; found = found->next)
        if (found->function == function && found->closure == closure) return found;
    int saved = errno;
    while (__atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE)) syscall(SYS_sched_yield);
    for (found = idiolect_closures[slot]; found; found = found->next)
        if (found->function == function && found->closure == closure) break;
    if (!found) {
        if (left < sizeof *found) {
            long mapped = syscall(SYS_mmap, 0, 65536, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (mapped == -1) __builtin_trap();
            page = (char *)mapped;
            left = 65536;
        }
        found = (struct idiolect_closure *)page;
        page += sizeof *found;
        left -= sizeof *found;
        found->function = function;
        found->closure = closure;
        found->next = idiolect_closures[slot];
        __atomic_store_n(&idiolect_closures[slot], found, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&taken, 0, __ATOMIC_RELEASE);
    errno = saved;
    return found;
}

/* ---- memory while the real allocator is looked up ---- */

static char idiolect_arena[1 << 16] __attribute__((aligned(64)));
static volatile size_t idiolect_arena_used;
/* Looking a function up may allocate memory, with the function that is being looked up. */
static FAST volatile int idiolect_finding;

HIDDEN int idiolect_in_arena(const void *block) {
    return (uintptr_t)block - (uintptr_t)idiolect_arena < sizeof idiolect_arena;
}

/* Blocks are zero, because nothing is given twice; before each stands its size. */
HIDDEN void *idiolect_from_arena(size_t alignment, size_t size) {
    if (alignment < 16) alignment = 16;
    size_t need = 16 + alignment + size;
    size_t at = __atomic_fetch_add(&idiolect_arena_used, need, __ATOMIC_RELAXED);
    if (size > sizeof idiolect_arena || at + need > sizeof idiolect_arena) return 0;
    uintptr_t block = ((uintptr_t)idiolect_arena + at + 16 + alignment - 1) / alignment * alignment;
    *(size_t *)(block - 16) = size;
    return (void *)block;
}

HIDDEN void *idiolect_arena_again(const void *old, void *block, size_t size) {
    size_t n = old ? *(const size_t *)((const char *)old - 16) : 0;
    for (size_t i = 0; block && i < n && i < size; i++) ((char *)block)[i] = ((const char *)old)[i];
    return block;
}

HIDDEN void *idiolect_find_allocator(const char *name, void *own) {
    idiolect_finding = 1;
    void *found = idiolect_find(name, own);
    idiolect_finding = 0;
    return found;
}
