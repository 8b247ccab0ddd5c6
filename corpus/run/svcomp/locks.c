/* Locking discipline in the style of verification benchmarks: nondeterminism replaced by a fixed sequence. */
#include <assert.h>
#include <stdio.h>

static unsigned seed = 5;
static int nondet_int(void) { seed = seed * 1103515245u + 12345u; return (int)(seed >> 16 & 3) - 1; }
static void reach_error(void) { assert(0); }
#define CHECK(c) do { if (!(c)) { ERROR: reach_error(); } } while (0)

int main(void)
{
    int p1 = nondet_int(), lk1, p2 = nondet_int(), lk2, p3 = nondet_int(), lk3, cond, rounds = 0, held = 0;
    while (1) {
        cond = nondet_int();
        if (cond == 0 && rounds > 10) goto out; else { }
        lk1 = 0; lk2 = 0; lk3 = 0;
        if (p1 != 0) { lk1 = 1; } else { }
        if (p2 != 0) { lk2 = 1; } else { }
        if (p3 != 0) { lk3 = 1; } else { }
        held += lk1 + lk2 + lk3;
        if (p1 != 0) { if (lk1 != 1) goto ERROR2; lk1 = 0; } else { }
        if (p2 != 0) { if (lk2 != 1) goto ERROR2; lk2 = 0; } else { }
        if (p3 != 0) { if (lk3 != 1) goto ERROR2; lk3 = 0; } else { }
        CHECK(lk1 + lk2 + lk3 == 0);
        rounds++;
        p1 = nondet_int(); p2 = p3; p3 = nondet_int();
    }
out:
    printf("rounds %d held %d\n", rounds, held);
    return 0;
ERROR2:
    reach_error();
    return 1;
}
