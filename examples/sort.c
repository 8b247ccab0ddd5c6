/* Sorts three numbers and checks the result. The inner loop stops one step too early, so that some
   orders of the numbers are left unsorted. */
#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define N 3

static void swap(int *a, int *b)
{
    int old = *a;
    *a = *b;
    *b = old;
}

static void sort(int numbers[])
{
    for (int round = 0; round < N - 1; round++)
        for (int i = 0; i < N - 2 - round; i++) /* should be N - 1 - round */
            if (numbers[i] > numbers[i + 1])
                swap(&numbers[i], &numbers[i + 1]);
}

static int is_sorted(const int numbers[])
{
    for (int i = 0; i + 1 < N; i++)
        if (numbers[i] > numbers[i + 1])
            return 0;
    return 1;
}

int main(void)
{
    int numbers[N];
    for (int i = 0; i < N; i++)
        numbers[i] = __VERIFIER_nondet_int();
    sort(numbers);
    for (int i = 0; i < N; i++)
        printf("%d ", numbers[i]);
    printf("\n");
    assert(is_sorted(numbers));
    return 0;
}
