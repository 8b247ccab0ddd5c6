/* Heap sort and insertion sort of pseudo-random numbers. */
#include <stdio.h>

#define N 200000
#define M 2000

static unsigned seed = 12345;
static int a[N];
static int b[M];

static int next(void)
{
    seed = seed * 1103515245u + 12345u;
    return (int)(seed >> 8 & 0xfffff);
}

static void sift(int *v, int root, int n)
{
    int value = v[root];
    int child;
    while ((child = 2 * root + 1) < n) {
        if (child + 1 < n && v[child] < v[child + 1])
            child++;
        if (value >= v[child])
            break;
        v[root] = v[child];
        root = child;
    }
    v[root] = value;
}

static void heap_sort(int *v, int n)
{
    int i;
    for (i = n / 2 - 1; i >= 0; i--)
        sift(v, i, n);
    for (i = n - 1; i > 0; i--) {
        int t = v[0];
        v[0] = v[i];
        v[i] = t;
        sift(v, 0, i);
    }
}

static void insertion_sort(int *v, int n)
{
    int i, j;
    for (i = 1; i < n; i++) {
        int x = v[i];
        for (j = i - 1; j >= 0 && v[j] > x; j--)
            v[j + 1] = v[j];
        v[j + 1] = x;
    }
}

int main(void)
{
    unsigned sum = 0;
    int i;
    for (i = 0; i < N; i++)
        a[i] = next();
    for (i = 0; i < M; i++)
        b[i] = next();
    heap_sort(a, N);
    insertion_sort(b, M);
    for (i = 0; i < N; i++)
        sum = sum * 31 + (unsigned)a[i];
    for (i = 0; i < M; i++)
        sum = sum * 31 + (unsigned)b[i];
    printf("%u\n", sum);
    return 0;
}
