// What a program does that is made to be run: files with a state. These take the place of the models in stdio.c and
// unistd.c, for which files are unknowns; proofs never see them.
//
// The system is asked by `__idiolect_host_…`; a negative result is an error number.

typedef unsigned long size_t;

struct _IO_FILE {
    int _flags;
    char *_IO_read_ptr;
    char *_IO_read_end;
    char *_IO_read_base;
    char *_IO_write_base;
    char *_IO_write_ptr;
    char *_IO_write_end;
    char *_IO_buf_base;
    char *_IO_buf_end;
    char *_IO_save_base;
    char *_IO_backup_base;
    char *_IO_save_end;
    int pushed;
    int descriptor;
    int slow;
    // From here on only in streams that were opened: bytes that were read ahead.
    int at;
    int have;
    // What is removed when the stream is closed.
    int is_temporary;
    char name[32];
    unsigned char ahead[4096];
};

void *malloc(size_t size);
void free(void *block);
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int __idiolect_stdin(void);
int __idiolect_putchar(int c);
int __idiolect_vprintf_stdout(const char *format, __builtin_va_list arguments);
int __idiolect_vprintf_stderr(const char *format, __builtin_va_list arguments);
int __idiolect_vsnprintf(char *to, size_t size, const char *format, __builtin_va_list arguments);
int __model_fprintf(struct _IO_FILE *stream, const char *format, ...);
int *__errno_location(void);
size_t __model_strlen(const char *s);

int __idiolect_host_open(const char *path, int flags);
int __idiolect_host_close(int descriptor);
long __idiolect_host_read(int descriptor, void *to, size_t size);
long __idiolect_host_write(int descriptor, const void *from, size_t size);
long __idiolect_host_seek(int descriptor, long offset, int whence);
int __idiolect_host_resize(int descriptor, long size);
int __idiolect_host_redirect(int stream, int descriptor);
int __idiolect_host_remove(const char *path);
int __idiolect_host_rename(const char *from, const char *to);
int __idiolect_host_mkdir(const char *path);
int __idiolect_host_rmdir(const char *path);
int __idiolect_host_stat(const char *path, long *out);
int __idiolect_host_fstat(int descriptor, long *out);
int __idiolect_host_entry(const char *path, int index, char *to);

extern struct _IO_FILE *stdin;
extern struct _IO_FILE *stdout;
extern struct _IO_FILE *stderr;

// -1 and `errno` for an error, the result itself otherwise.
static long __model_result(long result)
{
    if (result < 0) {
        *__errno_location() = (int)-result;
        return -1;
    }
    return result;
}

// --- reading ---

static int __model_fill(struct _IO_FILE *stream)
{
    long n = __idiolect_host_read(stream->descriptor, stream->ahead, sizeof stream->ahead);
    stream->at = 0;
    stream->have = n < 0 ? 0 : (int)n;
    if (n < 0) {
        *__errno_location() = (int)-n;
        stream->_flags = stream->_flags | 32;
    }
    return n;
}

// What was read ahead is given back before the position counts.
static void __model_forget_ahead(struct _IO_FILE *stream)
{
    if (stream->descriptor > 2) {
        if (stream->have > stream->at)
            __idiolect_host_seek(stream->descriptor, (long)stream->at - stream->have, 1);
        stream->at = 0;
        stream->have = 0;
    }
}

int __model_getc(struct _IO_FILE *stream)
{
    int c;
    if (stream->slow) {
        if (stream->pushed) {
            c = stream->pushed - 1;
            stream->pushed = 0;
            stream->slow = stream->descriptor != 0 || (stream->_flags & 16) != 0;
            return c;
        }
        if (stream->_flags & 16)
            return -1;
        if (stream->descriptor == 1 || stream->descriptor == 2) {
            stream->_flags = stream->_flags | 32;
            return -1;
        }
        if (stream->descriptor == 0) {
            c = __idiolect_stdin();
        } else {
            if (stream->at == stream->have) {
                int n = __model_fill(stream);
                if (n < 0)
                    return -1;
                if (n == 0) {
                    stream->_flags = stream->_flags | 16;
                    return -1;
                }
            }
            c = stream->ahead[stream->at];
            stream->at = stream->at + 1;
            return c;
        }
    } else {
        c = __idiolect_stdin();
    }
    stream->_flags = stream->_flags | (c < 0) * 16;
    stream->slow = stream->slow | (c < 0);
    return c;
}

size_t __model_fread(void *to, size_t size, size_t n, struct _IO_FILE *stream)
{
    unsigned char *bytes = to;
    size_t total = size * n;
    size_t i = 0;
    int c = 0;
    while (i < total && c >= 0) {
        // What is there already goes over as a block.
        if (stream->descriptor > 2 && !stream->pushed && stream->have > stream->at) {
            size_t part = (size_t)(stream->have - stream->at);
            if (part > total - i)
                part = total - i;
            memcpy(bytes + i, stream->ahead + stream->at, part);
            stream->at = stream->at + (int)part;
            i = i + part;
        } else {
            c = __model_getc(stream);
            if (c >= 0) {
                bytes[i] = (unsigned char)c;
                i++;
            }
        }
    }
    return total == 0 ? 0 : i == total ? n : i / size;
}

long __model_read(int descriptor, void *to, size_t size)
{
    unsigned char *bytes = to;
    size_t i = 0;
    int c = 0;
    if (descriptor != 0)
        return __model_result(__idiolect_host_read(descriptor, to, size));
    while (i < size && c >= 0) {
        c = __idiolect_stdin();
        if (c >= 0) {
            bytes[i] = (unsigned char)c;
            i++;
        }
    }
    return (long)i;
}

// --- writing ---

static long __model_write_file(struct _IO_FILE *stream, const void *from, size_t size)
{
    long n;
    __model_forget_ahead(stream);
    n = __idiolect_host_write(stream->descriptor, from, size);
    if (n < 0)
        stream->_flags = stream->_flags | 32;
    return __model_result(n);
}

int __model_vfprintf(struct _IO_FILE *stream, const char *format, __builtin_va_list arguments)
{
    int n;
    char *text;
    __builtin_va_list again;
    if (stream->descriptor == 1)
        return __idiolect_vprintf_stdout(format, arguments);
    if (stream->descriptor == 2)
        return __idiolect_vprintf_stderr(format, arguments);
    __builtin_va_copy(again, arguments);
    n = __idiolect_vsnprintf((char *)0, 0, format, arguments);
    text = n < 0 ? (char *)0 : malloc((size_t)n + 1);
    if (text) {
        __idiolect_vsnprintf(text, (size_t)n + 1, format, again);
        n = (int)__model_write_file(stream, text, (size_t)n);
        free(text);
    }
    __builtin_va_end(again);
    return n;
}

int __model_putc(int c, struct _IO_FILE *stream)
{
    unsigned char byte = (unsigned char)c;
    if (stream->descriptor == 1)
        __idiolect_putchar(c);
    else if (stream->descriptor == 2)
        __model_fprintf(stream, "%c", c);
    else if (__model_write_file(stream, &byte, 1) < 0)
        return -1;
    return byte;
}

size_t __model_fwrite(const void *from, size_t size, size_t n, struct _IO_FILE *stream)
{
    const unsigned char *bytes = from;
    size_t total = size * n;
    size_t i = 0;
    if (total == 0)
        return 0;
    if (stream->descriptor > 2)
        return __model_write_file(stream, from, total) < 0 ? 0 : n;
    while (i < total) {
        __model_putc(bytes[i], stream);
        i++;
    }
    return n;
}

int puts(const char *text)
{
    return __model_fprintf(stdout, "%s\n", text);
}

int fputs(const char *text, struct _IO_FILE *stream)
{
    size_t n = __model_strlen(text);
    if (stream->descriptor > 2)
        return __model_write_file(stream, text, n) < 0 ? -1 : 1;
    __model_fprintf(stream, "%s", text);
    return 1;
}

long write(int descriptor, const void *from, size_t size)
{
    const unsigned char *bytes = from;
    size_t i = 0;
    if (descriptor != 1 && descriptor != 2)
        return __model_result(__idiolect_host_write(descriptor, from, size));
    while (i < size) {
        __model_putc(bytes[i], descriptor == 1 ? stdout : stderr);
        i++;
    }
    return (long)size;
}

// --- streams ---

// 0 is reading, 1 writing, 2 both; 64 creates, 128 only that, 512 empties, 1024 appends.
static int __model_mode(const char *mode)
{
    int flags;
    size_t i = 1;
    if (mode[0] == 'r')
        flags = 0;
    else if (mode[0] == 'w')
        flags = 1 | 64 | 512;
    else if (mode[0] == 'a')
        flags = 1 | 64 | 1024;
    else
        return -1;
    while (mode[0] && mode[i] && i < 8) {
        if (mode[i] == '+')
            flags = (flags & ~1) | 2;
        if (mode[i] == 'x')
            flags = flags | 128;
        i++;
    }
    return flags;
}

static struct _IO_FILE *__model_new_stream(int descriptor)
{
    struct _IO_FILE *stream = malloc(sizeof(struct _IO_FILE));
    if (stream) {
        memset(stream, 0, sizeof(struct _IO_FILE));
        stream->descriptor = descriptor;
        stream->slow = 1;
    }
    return stream;
}

static struct _IO_FILE *__model_fopen(const char *path, const char *mode)
{
    int flags = __model_mode(mode);
    int descriptor;
    if (flags < 0) {
        *__errno_location() = 22;
        return 0;
    }
    descriptor = (int)__model_result(__idiolect_host_open(path, flags));
    return descriptor < 0 ? (struct _IO_FILE *)0 : __model_new_stream(descriptor);
}

struct _IO_FILE *fopen(const char *path, const char *mode)
{
    return __model_fopen(path, mode);
}

struct _IO_FILE *fopen64(const char *path, const char *mode)
{
    return __model_fopen(path, mode);
}

struct _IO_FILE *fdopen(int descriptor, const char *mode)
{
    if (descriptor == 0)
        return stdin;
    if (descriptor == 1)
        return stdout;
    if (descriptor == 2)
        return stderr;
    return __model_new_stream(descriptor);
}

static int __model_n_temporary;

static void __model_temporary_name(char *name)
{
    const char *start = "/tmp/file";
    int n = __model_n_temporary;
    size_t i = 0;
    size_t k = 0;
    __model_n_temporary = n + 1;
    while (start[i]) {
        name[i] = start[i];
        i++;
    }
    while (k < 6) {
        name[i + 5 - k] = (char)('A' + n % 26);
        n = n / 26;
        k++;
    }
    name[i + 6] = 0;
}

struct _IO_FILE *tmpfile(void)
{
    char name[32];
    struct _IO_FILE *stream;
    __model_temporary_name(name);
    stream = __model_fopen(name, "w+");
    if (stream) {
        stream->is_temporary = 1;
        memcpy(stream->name, name, 32);
    }
    return stream;
}

static char __model_temporary[32];

char *tmpnam(char *name)
{
    char *to = name ? name : __model_temporary;
    __model_temporary_name(to);
    return to;
}

int mkstemp(char *name)
{
    size_t n = __model_strlen(name);
    int i = 0;
    int number = __model_n_temporary;
    __model_n_temporary = number + 1;
    while (i < 6 && (size_t)i < n) {
        name[n - 1 - (size_t)i] = (char)('A' + number % 26);
        number = number / 26;
        i++;
    }
    return (int)__model_result(__idiolect_host_open(name, 2 | 64 | 128));
}

int __model_fclose(struct _IO_FILE *stream)
{
    int result = 0;
    if (stream->descriptor > 2) {
        result = (int)__model_result(__idiolect_host_close(stream->descriptor));
        if (stream->is_temporary)
            __idiolect_host_remove(stream->name);
        free(stream);
    }
    return result;
}

// A standard stream that is redirected reads and writes the file from then on.
struct _IO_FILE *freopen(const char *path, const char *mode, struct _IO_FILE *stream)
{
    int flags = __model_mode(mode);
    int descriptor;
    if (!path)
        return stream;
    descriptor = (int)__model_result(__idiolect_host_open(path, flags < 0 ? 0 : flags));
    if (descriptor < 0)
        return 0;
    if (stream->descriptor > 2) {
        __idiolect_host_close(stream->descriptor);
        stream->descriptor = descriptor;
        stream->_flags = 0;
        stream->pushed = 0;
        stream->at = 0;
        stream->have = 0;
        return stream;
    }
    // The object of a standard stream has no room for what is read ahead.
    if (stream == stdin) {
        stdin = __model_new_stream(descriptor);
        return stdin;
    }
    stream->_flags = 0;
    __idiolect_host_redirect(stream->descriptor, descriptor);
    return stream;
}

static int __model_seek_stream(struct _IO_FILE *stream, long offset, int whence)
{
    if (whence == 1 && stream->pushed)
        offset = offset - 1;
    __model_forget_ahead(stream);
    if (__model_result(__idiolect_host_seek(stream->descriptor, offset, whence)) < 0)
        return -1;
    stream->pushed = 0;
    stream->_flags = stream->_flags & ~16;
    return 0;
}

int fseek(struct _IO_FILE *stream, long offset, int whence)
{
    return __model_seek_stream(stream, offset, whence);
}

int fseeko(struct _IO_FILE *stream, long offset, int whence)
{
    return __model_seek_stream(stream, offset, whence);
}

int fseeko64(struct _IO_FILE *stream, long offset, int whence)
{
    return __model_seek_stream(stream, offset, whence);
}

static long __model_tell(struct _IO_FILE *stream)
{
    long position = __model_result(__idiolect_host_seek(stream->descriptor, 0, 1));
    if (position < 0)
        return -1;
    // Standard output that was redirected.
    if (stream->descriptor <= 2)
        return position;
    return position - (stream->have - stream->at) - (stream->pushed != 0);
}

long ftell(struct _IO_FILE *stream)
{
    return __model_tell(stream);
}

long ftello(struct _IO_FILE *stream)
{
    return __model_tell(stream);
}

long ftello64(struct _IO_FILE *stream)
{
    return __model_tell(stream);
}

void rewind(struct _IO_FILE *stream)
{
    __model_seek_stream(stream, 0, 0);
    stream->_flags = stream->_flags & ~48;
}

int fgetpos(struct _IO_FILE *stream, long *position)
{
    *position = __model_tell(stream);
    return *position < 0 ? -1 : 0;
}

int fsetpos(struct _IO_FILE *stream, const long *position)
{
    return __model_seek_stream(stream, *position, 0);
}

int remove(const char *path)
{
    int result = __idiolect_host_remove(path);
    if (result == -21)
        result = __idiolect_host_rmdir(path);
    return (int)__model_result(result);
}

int rename(const char *from, const char *to)
{
    return (int)__model_result(__idiolect_host_rename(from, to));
}

// --- descriptors and directories ---

int open(const char *path, int flags, ...)
{
    return (int)__model_result(__idiolect_host_open(path, flags));
}

int open64(const char *path, int flags, ...)
{
    return (int)__model_result(__idiolect_host_open(path, flags));
}

int creat(const char *path, unsigned mode)
{
    return (int)__model_result(__idiolect_host_open(path, 1 | 64 | 512));
}

int close(int descriptor)
{
    if (descriptor >= 0 && descriptor < 3)
        return 0;
    return (int)__model_result(__idiolect_host_close(descriptor));
}

long lseek(int descriptor, long offset, int whence)
{
    return __model_result(__idiolect_host_seek(descriptor, offset, whence));
}

long lseek64(int descriptor, long offset, int whence)
{
    return __model_result(__idiolect_host_seek(descriptor, offset, whence));
}

int ftruncate(int descriptor, long size)
{
    return (int)__model_result(__idiolect_host_resize(descriptor, size));
}

int ftruncate64(int descriptor, long size)
{
    return (int)__model_result(__idiolect_host_resize(descriptor, size));
}

static int __model_truncate(const char *path, long size)
{
    /* 1: O_WRONLY. */
    int descriptor = (int)__model_result(__idiolect_host_open(path, 1)), done;
    if (descriptor < 0)
        return -1;
    done = (int)__model_result(__idiolect_host_resize(descriptor, size));
    __idiolect_host_close(descriptor);
    return done;
}

int truncate(const char *path, long size)
{
    return __model_truncate(path, size);
}

int truncate64(const char *path, long size)
{
    return __model_truncate(path, size);
}

int fsync(int descriptor)
{
    return 0;
}

int fdatasync(int descriptor)
{
    return 0;
}

int unlink(const char *path)
{
    return (int)__model_result(__idiolect_host_remove(path));
}

int mkdir(const char *path, unsigned mode)
{
    return (int)__model_result(__idiolect_host_mkdir(path));
}

int rmdir(const char *path)
{
    return (int)__model_result(__idiolect_host_rmdir(path));
}

int access(const char *path, int mode)
{
    long out[3];
    return (int)__model_result(__idiolect_host_stat(path, out));
}

int chmod(const char *path, unsigned mode)
{
    long out[3];
    return (int)__model_result(__idiolect_host_stat(path, out));
}

int fchmod(int descriptor, unsigned mode)
{
    return 0;
}

// As glibc lays it out on 64-bit machines.
struct stat {
    unsigned long st_dev;
    unsigned long st_ino;
    unsigned long st_nlink;
    unsigned st_mode;
    unsigned st_uid;
    unsigned st_gid;
    int padding;
    unsigned long st_rdev;
    long st_size;
    long st_blksize;
    long st_blocks;
    long st_atime;
    long st_atime_nsec;
    long st_mtime;
    long st_mtime_nsec;
    long st_ctime;
    long st_ctime_nsec;
    long reserved[3];
};

static int __model_put_stat(int result, const long *from, struct stat *to, unsigned kind)
{
    if (result < 0)
        return (int)__model_result(result);
    memset(to, 0, sizeof(struct stat));
    to->st_dev = 1;
    to->st_ino = (unsigned long)from[2];
    to->st_nlink = 1;
    to->st_mode = from[0] ? 040755 : kind | 0644;
    to->st_uid = 1000;
    to->st_gid = 1000;
    to->st_size = from[1];
    to->st_blksize = 4096;
    to->st_blocks = (from[1] + 511) / 512;
    to->st_atime = 1767225600;
    to->st_mtime = 1767225600;
    to->st_ctime = 1767225600;
    return 0;
}

int stat(const char *path, struct stat *to)
{
    long out[3];
    return __model_put_stat(__idiolect_host_stat(path, out), out, to, 0100000);
}

int lstat(const char *path, struct stat *to)
{
    long out[3];
    return __model_put_stat(__idiolect_host_stat(path, out), out, to, 0100000);
}

// Standard streams are pipes.
int fstat(int descriptor, struct stat *to)
{
    long out[3];
    return __model_put_stat(__idiolect_host_fstat(descriptor, out), out, to, descriptor < 3 ? 010000 : 0100000);
}

int stat64(const char *path, struct stat *to)
{
    long out[3];
    return __model_put_stat(__idiolect_host_stat(path, out), out, to, 0100000);
}

int lstat64(const char *path, struct stat *to)
{
    long out[3];
    return __model_put_stat(__idiolect_host_stat(path, out), out, to, 0100000);
}

int fstat64(int descriptor, struct stat *to)
{
    long out[3];
    return __model_put_stat(__idiolect_host_fstat(descriptor, out), out, to, descriptor < 3 ? 010000 : 0100000);
}

struct dirent {
    unsigned long d_ino;
    long d_off;
    unsigned short d_reclen;
    unsigned char d_type;
    char d_name[256];
};

struct __dirstream {
    int index;
    struct dirent entry;
    char path[4097];
};

struct __dirstream *opendir(const char *path)
{
    struct __dirstream *stream;
    char name[256];
    size_t n = __model_strlen(path);
    if (n > 4096) {
        *__errno_location() = 36;
        return 0;
    }
    if (__model_result(__idiolect_host_entry(path, 0, name)) < 0)
        return 0;
    stream = malloc(sizeof(struct __dirstream));
    if (stream) {
        stream->index = 0;
        memcpy(stream->path, path, n + 1);
    }
    return stream;
}

struct dirent *readdir(struct __dirstream *stream)
{
    memset(&stream->entry, 0, sizeof(struct dirent));
    if (__idiolect_host_entry(stream->path, stream->index, stream->entry.d_name) <= 0)
        return 0;
    stream->index = stream->index + 1;
    stream->entry.d_ino = (unsigned long)stream->index;
    stream->entry.d_off = stream->index;
    stream->entry.d_reclen = 280;
    return &stream->entry;
}

struct dirent *readdir64(struct __dirstream *stream)
{
    memset(&stream->entry, 0, sizeof(struct dirent));
    if (__idiolect_host_entry(stream->path, stream->index, stream->entry.d_name) <= 0)
        return 0;
    stream->index = stream->index + 1;
    stream->entry.d_ino = (unsigned long)stream->index;
    stream->entry.d_off = stream->index;
    stream->entry.d_reclen = 280;
    return &stream->entry;
}

void rewinddir(struct __dirstream *stream)
{
    stream->index = 0;
}

int closedir(struct __dirstream *stream)
{
    free(stream);
    return 0;
}

// The program's folder is the root.
char *getcwd(char *to, size_t size)
{
    char *text = to ? to : malloc(2);
    if (to && size < 2) {
        *__errno_location() = 34;
        return 0;
    }
    if (text) {
        text[0] = '/';
        text[1] = 0;
    }
    return text;
}

// --- owners, links, limits: all files belong to the user, and there are no links ---

int chown(const char *path, unsigned owner, unsigned group)
{
    long out[3];
    return (int)__model_result(__idiolect_host_stat(path, out));
}

int lchown(const char *path, unsigned owner, unsigned group)
{
    long out[3];
    return (int)__model_result(__idiolect_host_stat(path, out));
}

int fchown(int descriptor, unsigned owner, unsigned group)
{
    long out[3];
    return (int)__model_result(__idiolect_host_fstat(descriptor, out));
}

long readlink(const char *path, char *to, size_t size)
{
    long out[3];
    long found = __idiolect_host_stat(path, out);
    return __model_result(found < 0 ? found : -22);
}

// Takes `.` and `..` out of a path from the root; the working directory is the root. What is on the way is there, so
// that `..` is the part before.
static void __model_plain_path(const char *path, char *to)
{
    size_t n = 0;
    while (*path) {
        size_t length = 0;
        while (*path == '/')
            path++;
        while (path[length] && path[length] != '/')
            length++;
        if (length == 2 && path[0] == '.' && path[1] == '.') {
            while (n > 0 && to[n - 1] != '/')
                n--;
            n = n > 0 ? n - 1 : 0;
        } else if (length > 1 || length == 1 && path[0] != '.') {
            to[n] = '/';
            memcpy(to + n + 1, path, length);
            n = n + 1 + length;
        }
        path = path + length;
    }
    if (n == 0) {
        to[0] = '/';
        n = 1;
    }
    to[n] = 0;
}

char *realpath(const char *path, char *to)
{
    long out[3];
    char *result = to;
    if (!path) {
        *__errno_location() = 22;
        return 0;
    }
    if (__model_result(__idiolect_host_stat(path, out)) < 0)
        return 0;
    if (!result)
        result = malloc(__model_strlen(path) + 2);
    if (result)
        __model_plain_path(path, result);
    return result;
}

long pathconf(const char *path, int name)
{
    return name == 3 ? 255 : name == 4 ? 4096 : -1;
}

long fpathconf(int descriptor, int name)
{
    return name == 3 ? 255 : name == 4 ? 4096 : -1;
}

// At a position of its own: that of the file stays where it is.
static long __model_pread(int descriptor, void *to, size_t size, long offset)
{
    long n;
    long position = __model_result(__idiolect_host_seek(descriptor, 0, 1));
    if (position < 0 || __model_result(__idiolect_host_seek(descriptor, offset, 0)) < 0)
        return -1;
    n = __model_result(__idiolect_host_read(descriptor, to, size));
    __idiolect_host_seek(descriptor, position, 0);
    return n;
}

static long __model_pwrite(int descriptor, const void *from, size_t size, long offset)
{
    long n;
    long position = __model_result(__idiolect_host_seek(descriptor, 0, 1));
    if (position < 0 || __model_result(__idiolect_host_seek(descriptor, offset, 0)) < 0)
        return -1;
    n = __model_result(__idiolect_host_write(descriptor, from, size));
    __idiolect_host_seek(descriptor, position, 0);
    return n;
}

long pread(int descriptor, void *to, size_t size, long offset)
{
    return __model_pread(descriptor, to, size, offset);
}

long pwrite(int descriptor, const void *from, size_t size, long offset)
{
    return __model_pwrite(descriptor, from, size, offset);
}

long pread64(int descriptor, void *to, size_t size, long offset)
{
    return __model_pread(descriptor, to, size, offset);
}

long pwrite64(int descriptor, const void *from, size_t size, long offset)
{
    return __model_pwrite(descriptor, from, size, offset);
}
