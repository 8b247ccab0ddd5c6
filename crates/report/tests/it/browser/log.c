#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

/* A log that forgets
   to write what is left in its buffer. */
static int dirty, is_open, n;
static int *buf;

void log_open(void) {
    buf = malloc(64 * sizeof *buf); // room for 64
    is_open = 1;
}

void log_write(int value) {
    if (n < 64) {
        buf[n++] = value;
        dirty = 1;
    }
}

void log_close(void) {
    is_open = 0;
    free(buf);
}

void log_flush(void) {
    if (dirty)
        assert(is_open);
    dirty = 0;
}

int main(void) {
    int count = __VERIFIER_nondet_int();
    log_open();
    for (int i = 0; i < count; i++)
        log_write(i * 3);
    if (__VERIFIER_nondet_int() > 7)
        log_flush();
    log_close();
    log_flush();
    return "done"[0] == 'd' ? 0x0 : 1;
}
