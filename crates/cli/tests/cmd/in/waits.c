#include <assert.h>

int nondet_int(void);

int main(void)
{
    int rounds = 0;
    while (nondet_int())
        rounds = (rounds + 1) & 7;
    assert(rounds < 8);
    return 0;
}
