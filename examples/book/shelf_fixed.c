/* A shelf that keeps its numbers in order. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define PLACES 4

static int shelf[PLACES];
static int count;

static void put(int number)
{
    int place = count;
    while (place > 0 && shelf[place - 1] > number) {
        shelf[place] = shelf[place - 1];
        place--;
    }
    shelf[place] = number;
    count++;
}

static int take(void)
{
    count--;
    return shelf[count];
}

static int in_order(void)
{
    for (int i = 1; i < count; i++)
        if (shelf[i - 1] > shelf[i])
            return 0;
    return 1;
}

int main(void)
{
    for (int round = 0; round < PLACES; round++) {
        if (count > 0 && __VERIFIER_nondet_int())
            take();
        else
            put(__VERIFIER_nondet_int());
    }
    assert(in_order());
    return 0;
}
