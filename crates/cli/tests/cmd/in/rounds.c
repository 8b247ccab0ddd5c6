#include <assert.h>
#include <stdlib.h>
extern int nondet_int(void);

int table[100];

void use(int i) { table[i]++; }

int main(void) {
    for (int i = 0; i < 100; i++)
        table[i] = i;
    int *p = malloc(sizeof *p);
    int n = 0;
    while (nondet_int()) {
        use(n & 1);
        if (n < 2)
            n++;
    }
    if (n > 1)
        free(p);
    assert(n < 2 || table[99] == 0);
    return 0;
}
