/* A search path of jq, twice: `mod` and `./mod` are the same folder, so the library looks for modules in
   the same folder. Compiled in front of jq's own linker.c, whose function is static. */
#include <stdarg.h>

#include "jv.h"

/* jq prints into a buffer here; this does the same for `%s`, with jq's own strings. */
static jv with_texts(const char *format, ...)
{
    jv text = jv_string("");
    va_list rest;
    va_start(rest, format);
    for (; *format; format++) {
        if (format[0] == '%' && format[1] == 's') {
            text = jv_string_append_str(text, va_arg(rest, const char *));
            format++;
        } else {
            text = jv_string_append_buf(text, format, 1);
        }
    }
    va_end(rest);
    return text;
}

#define jv_string_fmt with_texts
#include "linker.c"

int __VERIFIER_nondet_int(void);

/* What the arguments are: the letters. */
void origin_is_known(void) {}
void origin_is_unknown(void) {}
void relative(void) {}
void absolute(void) {}

/* What an element of the search path becomes. */
static jv expanded(const char *path, jv origin)
{
    jv search = jv_array_append(jv_array(), jv_string(path));
    jv chain = build_lib_search_chain(0, search, jv_string("/bin"), origin);
#ifdef WITH_ERROR /* Since the repair, an error comes with the paths. */
    chain = jv_array_get(chain, 0);
#endif
    return jv_array_get(chain, 0);
}

/* Whether two paths are the same but for `./`. */
static int same_folder(const char *a, const char *b)
{
    for (;;) {
        while (a[0] == '.' && a[1] == '/')
            a += 2;
        while (b[0] == '.' && b[1] == '/')
            b += 2;
        if (*a != *b)
            return 0;
        if (*a == 0)
            return 1;
        a++;
        b++;
    }
}

int main(void)
{
    jv origin = jv_null();
    if (__VERIFIER_nondet_int()) {
        origin_is_known();
        origin = jv_string("/lib");
    } else {
        origin_is_unknown();
    }
    const char *plain = "/mod", *dotted = "/./mod";
    if (__VERIFIER_nondet_int()) {
        relative();
        plain = "mod";
        dotted = "./mod";
    } else {
        absolute();
    }
    jv one = expanded(plain, jv_copy(origin)), two = expanded(dotted, origin);
    assert(same_folder(jv_string_value(one), jv_string_value(two)));
    return 0;
}
