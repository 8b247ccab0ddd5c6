// The checked forms that glibc's headers call under _FORTIFY_SOURCE.
//
// The size of the object, which the compiler adds, is not compared: a write out of bounds is a memory fault at the
// write itself, which says more than an abort would. What is lost: an overflow from one member of a struct into the
// next, where the real program would abort, goes on here.

typedef unsigned long size_t;

struct _IO_FILE;

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int __idiolect_vprintf_stdout(const char *format, __builtin_va_list arguments);
int __idiolect_vsprintf(char *to, const char *format, __builtin_va_list arguments);
int __idiolect_vsnprintf(char *to, size_t size, const char *format, __builtin_va_list arguments);
size_t __model_strlen(const char *s);
char *__model_stpcpy(char *to, const char *from);
char *__model_stpncpy(char *to, const char *from, size_t n);
char *__model_strncat(char *to, const char *from, size_t n);
int __model_vfprintf(struct _IO_FILE *stream, const char *format, __builtin_va_list arguments);
int __model_vasprintf(char **out, const char *format, __builtin_va_list arguments);
char *__model_fgets(char *to, int size, struct _IO_FILE *stream);
char *__model_gets(char *to);
size_t __model_fread(void *to, size_t size, size_t n, struct _IO_FILE *stream);
long __model_read(int descriptor, void *to, size_t size);

void *__memcpy_chk(void *to, const void *from, size_t n, size_t object_size)
{
    return memcpy(to, from, n);
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t object_size)
{
    return memmove(to, from, n);
}

void *__memset_chk(void *to, int byte, size_t n, size_t object_size)
{
    return memset(to, byte, n);
}

void *__mempcpy_chk(void *to, const void *from, size_t n, size_t object_size)
{
    memcpy(to, from, n);
    return (char *)to + n;
}

void __explicit_bzero_chk(void *to, size_t n, size_t object_size)
{
    memset(to, 0, n);
}

char *__strcpy_chk(char *to, const char *from, size_t object_size)
{
    __model_stpcpy(to, from);
    return to;
}

char *__stpcpy_chk(char *to, const char *from, size_t object_size)
{
    return __model_stpcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t object_size)
{
    __model_stpncpy(to, from, n);
    return to;
}

char *__stpncpy_chk(char *to, const char *from, size_t n, size_t object_size)
{
    return __model_stpncpy(to, from, n);
}

char *__strcat_chk(char *to, const char *from, size_t object_size)
{
    __model_stpcpy(to + __model_strlen(to), from);
    return to;
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t object_size)
{
    return __model_strncat(to, from, n);
}

int __printf_chk(int flag, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __idiolect_vprintf_stdout(format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __fprintf_chk(struct _IO_FILE *stream, int flag, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __model_vfprintf(stream, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __sprintf_chk(char *to, int flag, size_t object_size, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __idiolect_vsprintf(to, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __snprintf_chk(char *to, size_t size, int flag, size_t object_size, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __idiolect_vsnprintf(to, size, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __asprintf_chk(char **out, int flag, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __model_vasprintf(out, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __vprintf_chk(int flag, const char *format, __builtin_va_list arguments)
{
    return __idiolect_vprintf_stdout(format, arguments);
}

int __vfprintf_chk(struct _IO_FILE *stream, int flag, const char *format, __builtin_va_list arguments)
{
    return __model_vfprintf(stream, format, arguments);
}

int __vsprintf_chk(char *to, int flag, size_t object_size, const char *format, __builtin_va_list arguments)
{
    return __idiolect_vsprintf(to, format, arguments);
}

int __vsnprintf_chk(char *to, size_t size, int flag, size_t object_size, const char *format,
                    __builtin_va_list arguments)
{
    return __idiolect_vsnprintf(to, size, format, arguments);
}

int __vasprintf_chk(char **out, int flag, const char *format, __builtin_va_list arguments)
{
    return __model_vasprintf(out, format, arguments);
}

char *__fgets_chk(char *to, size_t object_size, int size, struct _IO_FILE *stream)
{
    return __model_fgets(to, size, stream);
}

char *__fgets_unlocked_chk(char *to, size_t object_size, int size, struct _IO_FILE *stream)
{
    return __model_fgets(to, size, stream);
}

char *__gets_chk(char *to, size_t object_size)
{
    return __model_gets(to);
}

size_t __fread_chk(void *to, size_t object_size, size_t size, size_t n, struct _IO_FILE *stream)
{
    return __model_fread(to, size, n, stream);
}

long __read_chk(int descriptor, void *to, size_t n, size_t object_size)
{
    return __model_read(descriptor, to, n);
}
