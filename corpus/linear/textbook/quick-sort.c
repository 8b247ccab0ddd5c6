/* Quick sort. Expected: sorted, and a permutation of the input. */
static void sort_range(int *a, int low, int high)
{
    int i, k, pivot, t;
    if (high - low < 2)
        return;
    pivot = a[high - 1];
    k = low;
    for (i = low; i < high - 1; i++) {
        if (a[i] < pivot) {
            t = a[i];
            a[i] = a[k];
            a[k] = t;
            k++;
        }
    }
    a[high - 1] = a[k];
    a[k] = pivot;
    sort_range(a, low, k);
    sort_range(a, k + 1, high);
}

void quick_sort(int *a, int n)
{
    sort_range(a, 0, n);
}
