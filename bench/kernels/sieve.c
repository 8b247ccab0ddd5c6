/* Counts primes below N, several times. */
#include <stdio.h>

#define N 2000000
#define ROUNDS 2

static char composite[N];

int main(void)
{
    int round, count = 0;
    for (round = 0; round < ROUNDS; round++) {
        int i, j;
        for (i = 0; i < N; i++)
            composite[i] = 0;
        count = 0;
        for (i = 2; i < N; i++) {
            if (composite[i])
                continue;
            count++;
            for (j = i + i; j < N; j += i)
                composite[j] = 1;
        }
    }
    printf("%d\n", count);
    return 0;
}
