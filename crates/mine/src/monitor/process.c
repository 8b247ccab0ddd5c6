#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An object: of which kind it is, what names it, and what is remembered of it. */
struct idiolect_object {
    unsigned long value, owner;
    void *maker, *last;
    int kind; /* from 1; 0 is an empty place */
    int state;
    char own, told;
};

enum { IDIOLECT_PLACES = 1 << 16 };
static struct idiolect_object idiolect_objects[IDIOLECT_PLACES];
static int idiolect_count, idiolect_broken, idiolect_lock;
static __thread int idiolect_inside __attribute__((tls_model("initial-exec")));
static unsigned long idiolect_first, idiolect_last;

static void idiolect_take(void) { while (__atomic_exchange_n(&idiolect_lock, 1, __ATOMIC_ACQUIRE)) continue; }
static void idiolect_give(void) { __atomic_store_n(&idiolect_lock, 0, __ATOMIC_RELEASE); }

/* The program itself is the first module. */
static int idiolect_module(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
        unsigned long from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        unsigned long to = from + info->dlpi_phdr[i].p_memsz;
        if (!idiolect_first || from < idiolect_first) idiolect_first = from;
        if (to > idiolect_last) idiolect_last = to;
    }
    return 1;
}

static int idiolect_is_own(void *caller) {
    if (!idiolect_last) {
        idiolect_inside++;
        dl_iterate_phdr(idiolect_module, 0);
        idiolect_inside--;
    }
    return (unsigned long)caller >= idiolect_first && (unsigned long)caller < idiolect_last;
}

static void idiolect_say(const char *text) {
    size_t length = strlen(text);
    while (length > 0) {
        ssize_t n = write(2, text, length);
        if (n <= 0) return;
        text += n, length -= (size_t)n;
    }
}

static const char *idiolect_rule(int rule);
static const char *idiolect_kind(int kind);

static void idiolect_tell(const char *how, struct idiolect_object *object, const char *call, int rule, void *site) {
    char text[700], place[300] = "?";
    Dl_info info;
    if (object->told) return;
    object->told = 1;
    __atomic_store_n(&idiolect_broken, 1, __ATOMIC_RELAXED);
    /* One byte before the return address is the call. */
    if (site && dladdr((char *)site - 1, &info) && info.dli_fname)
        snprintf(place, sizeof place, "%s+%#lx%s%s", info.dli_fname,
                 (unsigned long)site - 1 - (unsigned long)info.dli_fbase, info.dli_sname ? " in " : "",
                 info.dli_sname ? info.dli_sname : "");
    snprintf(text, sizeof text, "idiolect: %s: %s %#lx: %s: %s, at %s\n", how, idiolect_kind(object->kind), object->value,
             call, idiolect_rule(rule), place);
    idiolect_say(text);
    const char *wish = getenv("IDIOLECT_ON_BREAK");
    if (wish && !strcmp(wish, "abort")) abort();
}

/* The place of an object; with `makes`, an empty one for it if there is none. */
static struct idiolect_object *idiolect_find(int kind, unsigned long value, unsigned long owner, int makes) {
    unsigned long at = (value ^ value >> 17 ^ owner * 31 ^ (unsigned long)kind << 9) * 0x9e3779b97f4a7c15ul >> 40;
    for (;; at++) {
        struct idiolect_object *object = &idiolect_objects[at % IDIOLECT_PLACES];
        if (!object->kind) {
            if (!makes || idiolect_count > IDIOLECT_PLACES / 4 * 3) return 0;
            idiolect_count++;
            object->kind = kind, object->value = value, object->owner = owner;
            return object;
        }
        if (object->kind == kind && object->value == value && object->owner == owner) return object;
    }
}

/* Something happens to an object. `ok` is 1 if the call succeeded, 0 if it failed, 2 if nobody knows. */
static void idiolect_event(int kind, unsigned long value, unsigned long owner, int shows, int validated, int (*on)(int),
                           int ok, const char *call, void *site) {
    idiolect_take();
    struct idiolect_object *object = idiolect_find(kind, value, owner, 0);
    if (!object && shows && (ok || validated) && idiolect_is_own(site)) {
        object = idiolect_find(kind, value, owner, 1);
        if (object) object->state = 0, object->own = 0, object->told = 0, object->maker = 0;
    }
    if (object) {
        int next = on(object->state);
        int counts = validated ? ok != 1 : ok != 0;
        if (next >= 0) {
            if (ok) object->state = next, object->last = site;
        } else if (counts) {
            idiolect_tell("forbidden", object, call, -1 - next, site);
        } else if (validated && ok == 1) {
            /* It was made again by a call that is not seen. */
            object->state = 0, object->own = 0, object->maker = 0;
        }
    }
    idiolect_give();
}

static void idiolect_made(int kind, unsigned long value, unsigned long owner, int (*on)(int), void *site) {
    idiolect_take();
    struct idiolect_object *object = idiolect_find(kind, value, owner, 1);
    if (object) {
        object->state = on ? on(0) : 0, object->told = 0, object->maker = object->last = site;
        object->own = (char)idiolect_is_own(site);
    }
    idiolect_give();
}

/* While the real function is looked up, memory comes from here. */
static char idiolect_arena[1 << 16] __attribute__((aligned(16)));
static unsigned long idiolect_used;
static void *idiolect_from_arena(size_t size) {
    unsigned long at = __atomic_fetch_add(&idiolect_used, (size + 15) & ~15ul, __ATOMIC_RELAXED);
    return at + size <= sizeof idiolect_arena ? idiolect_arena + at : 0;
}
static int idiolect_in_arena(const void *at) {
    return (const char *)at >= idiolect_arena && (const char *)at < idiolect_arena + sizeof idiolect_arena;
}
static void *idiolect_real(const char *name) {
    idiolect_inside++;
    void *found = dlsym(RTLD_NEXT, name);
    idiolect_inside--;
    if (!found) {
        idiolect_say("idiolect: there is no function "), idiolect_say(name), idiolect_say("\n");
        abort();
    }
    return found;
}
