// explain:
/* Bubble sort that makes one round too few. */
#include <assert.h>

extern int nondet_int(void);

#define N 3

int a[N];

void swap(int i) {
    int t = a[i];
    a[i] = a[i + 1];
    a[i + 1] = t;
}

void keep(int i) {
    (void)i;
}

void round_done(void) {}

int main(void) {
    for (int i = 0; i < N; i++)
        a[i] = nondet_int();
    /* The bug: `round < N - 1` would do. */
    for (int round = 0; round < N - 2; round++) {
        for (int i = 0; i + 1 < N; i++) {
            if (a[i] > a[i + 1])
                swap(i);
            else
                keep(i);
        }
        round_done();
    }
    for (int i = 0; i + 1 < N; i++)
        assert(a[i] <= a[i + 1]);
    return 0;
}
