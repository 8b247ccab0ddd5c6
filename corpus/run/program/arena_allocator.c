/* A bump allocator in a static buffer with alignment and reset, and a free-list pool on top of it. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static union { char c[1024]; long double align; } mem;
static size_t top, peak;
static void *alloc(size_t n, size_t align) { size_t at = (top + align - 1) & ~(align - 1); if (at + n > sizeof mem.c) return NULL; top = at + n; if (top > peak) peak = top; return mem.c + at; }
#define NEW(T, n) ((T *)alloc(sizeof(T) * (n), _Alignof(T)))
union cell { union cell *next; struct { int id; char tag; } v; };
static union cell *free_list; static int made;
static union cell *get(void) { union cell *c = free_list; if (c) free_list = c->next; else { made++; c = NEW(union cell, 1); } return c; }
static void put(union cell *c) { c->next = free_list; free_list = c; }

int main(void)
{
    char *s = NEW(char, 3); int *a; double *d; union cell *c[6]; size_t mark; int i, k;
    strcpy(s, "ab");
    a = NEW(int, 4); d = NEW(double, 2);
    for (i = 0; i < 4; i++) a[i] = i * i;
    d[0] = 1.5; d[1] = d[0] * a[3];
    printf("%s %d %g | %td %td %zu\n", s, a[2], d[1], (char *)a - mem.c, (char *)d - mem.c, top);
    mark = top;
    printf("%d\n", NEW(char, 2000) == NULL);
    for (k = 0; k < 3; k++) {
        for (i = 0; i < 6; i++) { c[i] = get(); c[i]->v.id = k * 10 + i; c[i]->v.tag = 'a' + i; }
        for (i = 0; i < 6; i++) printf("%d%c ", c[i]->v.id, c[i]->v.tag);
        for (i = 0; i < 6; i++) if ((i + k) % 2 || k < 2) put(c[i]);
        printf("made %d\n", made);
    }
    top = mark;
    printf("%zu %zu\n", top, peak);
    return made;
}
