/* Attributes in all positions, __extension__, __asm__ labels absent, alternate keywords, empty declarations. */
#include <stdio.h>
#include <stdlib.h>

__extension__ typedef long long ll;
static int unused_fn(void) __attribute__((unused));
static int unused_fn(void) { return 1; }
static int pure_fn(int x) __attribute__((pure, noinline));
static int pure_fn(int x) { return x * 3; }
__attribute__((const)) static int cfn(int x __attribute__((unused)), int y) { return y; }
static void die(const char *) __attribute__((noreturn, cold));
static void die(const char *m) { puts(m); exit(9); }
static int logf_(const char *f, ...) __attribute__((format(printf, 1, 2)));
static int logf_(const char *f, ...) { return f[0]; }
struct __attribute__((aligned(4))) s { short a __attribute__((aligned(2))); } __attribute__((may_alias));
typedef int v4 __attribute__((mode(SI)));
static int deprecated_var __attribute__((deprecated)) = 4;
static __inline __const__int_holder(void) { return 8; }
enum e { A __attribute__((unused)) = 2, B };
;

int main(void)
{
    __label__ local;
    int x __attribute__((unused)) = 5, y __attribute__((aligned(16))) = 6;
    __signed__ char sc = -1; __volatile__ int v = 2; __const int c = 3;
    v4 si = 7;
    switch (x) { case 5: y++; __attribute__((fallthrough)); case 6: y += 10; }
    if (y == 0) { __attribute__((unused)) int z = 3; }
    goto local;
    y = 1000;
local: __attribute__((unused))
    printf("%d %d %d %d %d\n", pure_fn(4), cfn(1, 2), unused_fn(), y, sc);
    printf("%d %d %zu %d\n", v, c, sizeof(struct s), si);
    printf("%d %d %d\n", deprecated_var, __const__int_holder(), B);
    printf("%d %lld\n", logf_("%d", 1), __extension__ (ll)1 << 40);
    die("done");
}
