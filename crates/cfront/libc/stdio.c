// Models of <stdio.h> without the scanners (scanf.c). Direct calls of the printf family are native; the bodies here
// serve pointers to them.
//
// Standard input is `__idiolect_stdin`. What goes to standard output and standard error is recorded natively. A file
// that the program opens is an unknown: opening it may fail, each byte read is an input, what is written vanishes.

typedef unsigned long size_t;

// The first twelve members are glibc's, because inline functions of its headers read them: with all pointers null every
// buffer looks empty, so those functions call `__uflow` and `__overflow`; bits 16 and 32 of `_flags` are
// end-of-file and error.
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
    // The character given back by `ungetc`, plus one; 0 when there is none.
    int pushed;
    // 0, 1, 2 for the standard streams, 3 for a file.
    int descriptor;
    // Reading takes the slow path: a character was given back, the end was reached, or it is not standard input.
    int slow;
};

void *malloc(size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
void *memset(void *to, int byte, size_t n);
int __idiolect_stdin(void);
int __idiolect_putchar(int c);
int __idiolect_env_int(const char *name);
int __idiolect_vprintf_stdout(const char *format, __builtin_va_list arguments);
int __idiolect_vprintf_stderr(const char *format, __builtin_va_list arguments);
int __idiolect_vprintf_elsewhere(const char *format, __builtin_va_list arguments);
int __idiolect_vsprintf(char *to, const char *format, __builtin_va_list arguments);
int __idiolect_vsnprintf(char *to, size_t size, const char *format, __builtin_va_list arguments);
int *__errno_location(void);
char *__model_strerror(int number);

static struct _IO_FILE __model_stdin = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
static struct _IO_FILE __model_stdout = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1};
static struct _IO_FILE __model_stderr = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1};

struct _IO_FILE *stdin = &__model_stdin;
struct _IO_FILE *stdout = &__model_stdout;
struct _IO_FILE *stderr = &__model_stderr;

// --- reading characters ---

// A byte of a file: an input. Half of the inputs mean its end, so that random runs come to an end.
int __model_file_byte(void)
{
    int input = __idiolect_env_int("file_byte") & 511;
    return input < 256 ? input : -1;
}

// One decision on the common path: standard input, nothing given back, end not seen.
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
        // The end stays the end until `clearerr`, `rewind` or `ungetc`.
        if (stream->_flags & 16)
            return -1;
        if (stream->descriptor == 1 || stream->descriptor == 2) {
            stream->_flags = stream->_flags | 32;
            return -1;
        }
        c = stream->descriptor == 0 ? __idiolect_stdin() : __model_file_byte();
    } else {
        c = __idiolect_stdin();
    }
    stream->_flags = stream->_flags | (c < 0) * 16;
    stream->slow = stream->slow | (c < 0);
    return c;
}

// One character can be given back, as C promises; a second one before it is read fails.
int __model_ungetc(int c, struct _IO_FILE *stream)
{
    if (c < 0 || stream->pushed)
        return -1;
    stream->pushed = (unsigned char)c + 1;
    stream->slow = 1;
    stream->_flags = stream->_flags & ~16;
    return (unsigned char)c;
}

int getchar(void)
{
    return __model_getc(stdin);
}

int getc(struct _IO_FILE *stream)
{
    return __model_getc(stream);
}

int fgetc(struct _IO_FILE *stream)
{
    return __model_getc(stream);
}

int _IO_getc(struct _IO_FILE *stream)
{
    return __model_getc(stream);
}

int getchar_unlocked(void)
{
    return __model_getc(stdin);
}

int getc_unlocked(struct _IO_FILE *stream)
{
    return __model_getc(stream);
}

int fgetc_unlocked(struct _IO_FILE *stream)
{
    return __model_getc(stream);
}

int __uflow(struct _IO_FILE *stream)
{
    return __model_getc(stream);
}

int getw(struct _IO_FILE *stream)
{
    unsigned value = 0;
    int i = 0;
    int c = 0;
    while (i < 4 && c >= 0) {
        c = __model_getc(stream);
        value = value | (unsigned)(c & 255) << 8 * i;
        i++;
    }
    return c < 0 ? -1 : (int)value;
}

int ungetc(int c, struct _IO_FILE *stream)
{
    return __model_ungetc(c, stream);
}

char *__model_fgets(char *to, int size, struct _IO_FILE *stream)
{
    int n = 0;
    int c = 0;
    if (size <= 0)
        return 0;
    while (n + 1 < size && c != '\n' && c >= 0) {
        c = __model_getc(stream);
        if (c >= 0) {
            to[n] = (char)c;
            n++;
        }
    }
    if (n == 0 && size > 1)
        return 0;
    to[n] = 0;
    return to;
}

char *fgets(char *to, int size, struct _IO_FILE *stream)
{
    return __model_fgets(to, size, stream);
}

char *fgets_unlocked(char *to, int size, struct _IO_FILE *stream)
{
    return __model_fgets(to, size, stream);
}

char *__model_gets(char *to)
{
    size_t n = 0;
    int c = __model_getc(stdin);
    if (c < 0)
        return 0;
    while (c != '\n' && c >= 0) {
        to[n] = (char)c;
        n++;
        c = __model_getc(stdin);
    }
    to[n] = 0;
    return to;
}

char *gets(char *to)
{
    return __model_gets(to);
}

// The buffer starts at 120 bytes, as glibc's does, and doubles; glibc takes larger steps for lines beyond 240 bytes.
long __model_getdelim(char **line, size_t *size, int delimiter, struct _IO_FILE *stream)
{
    size_t n = 0;
    int c = 0;
    int more = 1;
    if (!*line || *size == 0) {
        char *block = realloc(*line, 120);
        if (!block)
            return -1;
        *line = block;
        *size = 120;
    }
    while (more) {
        c = __model_getc(stream);
        if (c >= 0) {
            if (n + 2 > *size) {
                char *block = realloc(*line, 2 * *size);
                if (!block)
                    return -1;
                *line = block;
                *size = 2 * *size;
            }
            (*line)[n] = (char)c;
            n++;
        }
        more = c >= 0 && c != delimiter;
    }
    if (n == 0)
        return -1;
    (*line)[n] = 0;
    return (long)n;
}

long getline(char **line, size_t *size, struct _IO_FILE *stream)
{
    return __model_getdelim(line, size, '\n', stream);
}

long getdelim(char **line, size_t *size, int delimiter, struct _IO_FILE *stream)
{
    return __model_getdelim(line, size, delimiter, stream);
}

long __getdelim(char **line, size_t *size, int delimiter, struct _IO_FILE *stream)
{
    return __model_getdelim(line, size, delimiter, stream);
}

size_t __model_fread(void *to, size_t size, size_t n, struct _IO_FILE *stream)
{
    unsigned char *bytes = to;
    size_t total = size * n;
    size_t i = 0;
    int c = 0;
    while (i < total && c >= 0) {
        c = __model_getc(stream);
        if (c >= 0) {
            bytes[i] = (unsigned char)c;
            i++;
        }
    }
    return total == 0 ? 0 : i == total ? n : i / size;
}

size_t fread(void *to, size_t size, size_t n, struct _IO_FILE *stream)
{
    return __model_fread(to, size, n, stream);
}

size_t fread_unlocked(void *to, size_t size, size_t n, struct _IO_FILE *stream)
{
    return __model_fread(to, size, n, stream);
}

// --- writing ---

int __model_vfprintf(struct _IO_FILE *stream, const char *format, __builtin_va_list arguments)
{
    if (stream == stdout)
        return __idiolect_vprintf_stdout(format, arguments);
    if (stream == stderr)
        return __idiolect_vprintf_stderr(format, arguments);
    return __idiolect_vprintf_elsewhere(format, arguments);
}

int __model_fprintf(struct _IO_FILE *stream, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __model_vfprintf(stream, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __model_putc(int c, struct _IO_FILE *stream)
{
    if (stream == stdout)
        __idiolect_putchar(c);
    else
        __model_fprintf(stream, "%c", c);
    return (unsigned char)c;
}

int putchar(int c)
{
    __idiolect_putchar(c);
    return (unsigned char)c;
}

int putchar_unlocked(int c)
{
    __idiolect_putchar(c);
    return (unsigned char)c;
}

int putc(int c, struct _IO_FILE *stream)
{
    return __model_putc(c, stream);
}

int fputc(int c, struct _IO_FILE *stream)
{
    return __model_putc(c, stream);
}

int _IO_putc(int c, struct _IO_FILE *stream)
{
    return __model_putc(c, stream);
}

int putc_unlocked(int c, struct _IO_FILE *stream)
{
    return __model_putc(c, stream);
}

int fputc_unlocked(int c, struct _IO_FILE *stream)
{
    return __model_putc(c, stream);
}

int __overflow(struct _IO_FILE *stream, int c)
{
    return __model_putc(c, stream);
}

// The number of bytes written, as glibc returns it.
int puts(const char *text)
{
    return __model_fprintf(stdout, "%s\n", text);
}

// 1 on success, as glibc returns it.
int fputs(const char *text, struct _IO_FILE *stream)
{
    __model_fprintf(stream, "%s", text);
    return 1;
}

int fputs_unlocked(const char *text, struct _IO_FILE *stream)
{
    __model_fprintf(stream, "%s", text);
    return 1;
}

size_t __model_fwrite(const void *from, size_t size, size_t n, struct _IO_FILE *stream)
{
    const unsigned char *bytes = from;
    size_t total = size * n;
    size_t i = 0;
    while (i < total) {
        __model_putc(bytes[i], stream);
        i++;
    }
    return total == 0 ? 0 : n;
}

size_t fwrite(const void *from, size_t size, size_t n, struct _IO_FILE *stream)
{
    return __model_fwrite(from, size, n, stream);
}

size_t fwrite_unlocked(const void *from, size_t size, size_t n, struct _IO_FILE *stream)
{
    return __model_fwrite(from, size, n, stream);
}

int printf(const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __idiolect_vprintf_stdout(format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int fprintf(struct _IO_FILE *stream, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __model_vfprintf(stream, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int sprintf(char *to, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __idiolect_vsprintf(to, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int snprintf(char *to, size_t size, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __idiolect_vsnprintf(to, size, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int vprintf(const char *format, __builtin_va_list arguments)
{
    return __idiolect_vprintf_stdout(format, arguments);
}

int vfprintf(struct _IO_FILE *stream, const char *format, __builtin_va_list arguments)
{
    return __model_vfprintf(stream, format, arguments);
}

int vsprintf(char *to, const char *format, __builtin_va_list arguments)
{
    return __idiolect_vsprintf(to, format, arguments);
}

int vsnprintf(char *to, size_t size, const char *format, __builtin_va_list arguments)
{
    return __idiolect_vsnprintf(to, size, format, arguments);
}

// Two passes: one for the length, one for the text.
int __model_vasprintf(char **out, const char *format, __builtin_va_list arguments)
{
    int n;
    char *text;
    __builtin_va_list again;
    __builtin_va_copy(again, arguments);
    n = __idiolect_vsnprintf((char *)0, 0, format, arguments);
    text = n < 0 ? (char *)0 : malloc((size_t)n + 1);
    if (text) {
        __idiolect_vsnprintf(text, (size_t)n + 1, format, again);
        *out = text;
    } else {
        n = -1;
    }
    __builtin_va_end(again);
    return n;
}

int vasprintf(char **out, const char *format, __builtin_va_list arguments)
{
    return __model_vasprintf(out, format, arguments);
}

int asprintf(char **out, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __model_vasprintf(out, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

// What is written to a bare descriptor: 1 and 2 are the standard streams.
struct _IO_FILE *__model_stream_of(int descriptor)
{
    return descriptor == 1 ? stdout : descriptor == 2 ? stderr : (struct _IO_FILE *)0;
}

int vdprintf(int descriptor, const char *format, __builtin_va_list arguments)
{
    return __model_vfprintf(__model_stream_of(descriptor), format, arguments);
}

int dprintf(int descriptor, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __model_vfprintf(__model_stream_of(descriptor), format, arguments);
    __builtin_va_end(arguments);
    return n;
}

void perror(const char *prefix)
{
    const char *message = __model_strerror(*__errno_location());
    if (prefix && *prefix)
        __model_fprintf(stderr, "%s: %s\n", prefix, message);
    else
        __model_fprintf(stderr, "%s\n", message);
}

// --- the state of a stream ---

int feof(struct _IO_FILE *stream)
{
    return (stream->_flags & 16) != 0;
}

int ferror(struct _IO_FILE *stream)
{
    return (stream->_flags & 32) != 0;
}

int feof_unlocked(struct _IO_FILE *stream)
{
    return (stream->_flags & 16) != 0;
}

int ferror_unlocked(struct _IO_FILE *stream)
{
    return (stream->_flags & 32) != 0;
}

void __model_clearerr(struct _IO_FILE *stream)
{
    stream->_flags = stream->_flags & ~48;
    stream->slow = stream->descriptor != 0 || stream->pushed != 0;
}

void clearerr(struct _IO_FILE *stream)
{
    __model_clearerr(stream);
}

int fileno(struct _IO_FILE *stream)
{
    return stream->descriptor;
}

// Output is not buffered.
int fflush(struct _IO_FILE *stream)
{
    return 0;
}

int setvbuf(struct _IO_FILE *stream, char *buffer, int mode, size_t size)
{
    return 0;
}

void setbuf(struct _IO_FILE *stream, char *buffer)
{
}

void setlinebuf(struct _IO_FILE *stream)
{
}

void flockfile(struct _IO_FILE *stream)
{
}

void funlockfile(struct _IO_FILE *stream)
{
}

// --- files: unknown to the model ---

// Null when the input is 0 (then `errno` is ENOENT) or memory is short. The path and the mode are not looked at.
struct _IO_FILE *__model_open_stream(const char *input_name)
{
    struct _IO_FILE *stream;
    if (__idiolect_env_int(input_name) == 0) {
        *__errno_location() = 2;
        return 0;
    }
    stream = malloc(sizeof(struct _IO_FILE));
    if (stream) {
        memset(stream, 0, sizeof(struct _IO_FILE));
        stream->descriptor = 3;
        stream->slow = 1;
    }
    return stream;
}

struct _IO_FILE *fopen(const char *path, const char *mode)
{
    return __model_open_stream("fopen");
}

struct _IO_FILE *fopen64(const char *path, const char *mode)
{
    return __model_open_stream("fopen");
}

struct _IO_FILE *fdopen(int descriptor, const char *mode)
{
    return __model_open_stream("fdopen");
}

struct _IO_FILE *tmpfile(void)
{
    return __model_open_stream("tmpfile");
}

struct _IO_FILE *popen(const char *command, const char *mode)
{
    return __model_open_stream("popen");
}

// The standard streams outlive their closing: using them afterwards is not reported.
int __model_fclose(struct _IO_FILE *stream)
{
    if (stream->descriptor == 3)
        free(stream);
    return 0;
}

int fclose(struct _IO_FILE *stream)
{
    return __model_fclose(stream);
}

int pclose(struct _IO_FILE *stream)
{
    return __model_fclose(stream);
}

// A standard stream keeps its descriptor: standard input so redirected is read as before, output recorded as before.
struct _IO_FILE *freopen(const char *path, const char *mode, struct _IO_FILE *stream)
{
    if (__idiolect_env_int("freopen") == 0) {
        *__errno_location() = 2;
        return 0;
    }
    stream->_flags = 0;
    stream->pushed = 0;
    stream->slow = stream->descriptor != 0;
    return stream;
}

// Positions are not kept: after a seek the bytes read are fresh inputs, and the position told is an input.
int __model_fseek(struct _IO_FILE *stream)
{
    stream->pushed = 0;
    stream->_flags = stream->_flags & ~16;
    stream->slow = stream->descriptor != 0;
    return 0;
}

int fseek(struct _IO_FILE *stream, long offset, int whence)
{
    return __model_fseek(stream);
}

int fseeko(struct _IO_FILE *stream, long offset, int whence)
{
    return __model_fseek(stream);
}

void rewind(struct _IO_FILE *stream)
{
    __model_fseek(stream);
    __model_clearerr(stream);
}

long ftell(struct _IO_FILE *stream)
{
    return __idiolect_env_int("ftell") & 0x7fffffff;
}

long ftello(struct _IO_FILE *stream)
{
    return __idiolect_env_int("ftell") & 0x7fffffff;
}

int remove(const char *path)
{
    return __idiolect_env_int("remove") == 0 ? 0 : -1;
}

int rename(const char *from, const char *to)
{
    return __idiolect_env_int("rename") == 0 ? 0 : -1;
}
