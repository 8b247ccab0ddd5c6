/* Sorts by merging runs of growing width. Expected: sorted. */
static void merge_runs(const int *a, int low, int middle, int high, int *b)
{
    int i = low, j = middle, k;
    for (k = low; k < high; k++) {
        if (i < middle && (j >= high || a[i] <= a[j]))
            b[k] = a[i++];
        else
            b[k] = a[j++];
    }
}

void merge_sort(int *a, int n, int *b)
{
    int width, low, i;
    for (width = 1; width < n; width = 2 * width) {
        for (low = 0; low < n; low = low + 2 * width) {
            int middle = low + width < n ? low + width : n;
            int high = low + 2 * width < n ? low + 2 * width : n;
            merge_runs(a, low, middle, high, b);
        }
        for (i = 0; i < n; i++)
            a[i] = b[i];
    }
}
