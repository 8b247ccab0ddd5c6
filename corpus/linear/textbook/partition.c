/* Small elements first. Expected: below the pivot up to the result, not below it behind; a permutation of the input. */
int partition(int *a, int n, int pivot)
{
    int i, k = 0;
    for (i = 0; i < n; i++) {
        if (a[i] < pivot) {
            int t = a[i];
            a[i] = a[k];
            a[k] = t;
            k++;
        }
    }
    return k;
}
