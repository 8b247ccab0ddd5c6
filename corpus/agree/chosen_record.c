// A record with a pointer is chosen among two. The pointer survives the copy, so the run goes on.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct job {
    char kind;
    int *target;
};

static void early(void) {}
static void late(void) {}

int main(void)
{
    int x = 0, y = 0;
    struct job s = {'s', &x}, t = {'t', &y};
    int c = __VERIFIER_nondet_int();
    int d = __VERIFIER_nondet_int();
    if (c == 7) {
        early();
        assert(0);
    }
    struct job j = c ? s : t;
    *j.target = 5;
    late();
    assert(x + y != 5 || d != 1);
    return 0;
}
