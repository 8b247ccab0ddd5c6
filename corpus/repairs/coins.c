/* Ways to pay an amount with coins of 1, 2 and 5. */
#include <stdio.h>
#include <stdlib.h>

#define COINS 3

static int ways(int amount)
{
    static const int coin[COINS] = {1, 2, 5};
    int table[64] = {1};
    if (amount < 0 || amount > 63)
        return -1;
    for (int c = 0; c < COINS - 1; c++)
        for (int i = coin[c]; i <= amount; i++)
            table[i] += table[i - coin[c]];
    return table[amount];
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", ways(atoi(argv[1])));
    return 0;
}
