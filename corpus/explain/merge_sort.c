// explain: --ignore less --ignore copy_back --ignore sort
/* Merge sort of four numbers. Merging forgets what is left of the right half. */
#include <assert.h>

extern int nondet_int(void);

#define N 4

int numbers[N];
int scratch[N];

int less(int a, int b) {
    return a < b;
}

void take_left(int to, int from) {
    scratch[to] = numbers[from];
}

void take_right(int to, int from) {
    scratch[to] = numbers[from];
}

void copy_back(int low, int high) {
    for (int i = low; i < high; i++)
        numbers[i] = scratch[i];
}

void merge(int low, int middle, int high) {
    int left = low, right = middle, to = low;
    while (left < middle && right < high) {
        if (less(numbers[right], numbers[left]))
            take_right(to++, right++);
        else
            take_left(to++, left++);
    }
    while (left < middle)
        take_left(to++, left++);
    /* The bug: `while (right < high)` is missing. */
    copy_back(low, to);
    for (; right < high; right++)
        numbers[to++] = 0;
}

void sort(int low, int high) {
    if (high - low < 2)
        return;
    int middle = low + (high - low) / 2;
    sort(low, middle);
    sort(middle, high);
    merge(low, middle, high);
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < N; i++) {
        numbers[i] = nondet_int() & 7;
        sum += numbers[i];
    }
    sort(0, N);
    for (int i = 0; i < N; i++)
        sum -= numbers[i];
    assert(sum == 0);
    return 0;
}
