/* Sorts by insertion. Expected: sorted, and a permutation of the input. */
void insertion_sort(int *a, int n)
{
    int i, j;
    for (i = 1; i < n; i++) {
        int key = a[i];
        for (j = i; j > 0 && a[j - 1] > key; j--)
            a[j] = a[j - 1];
        a[j] = key;
    }
}
