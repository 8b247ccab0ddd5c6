/* Sorts by selection. Expected: sorted, and a permutation of the input. */
void selection_sort(int *a, int n)
{
    int i, j;
    for (i = 0; i < n; i++) {
        int least = i, t;
        for (j = i + 1; j < n; j++)
            if (a[j] < a[least])
                least = j;
        t = a[i];
        a[i] = a[least];
        a[least] = t;
    }
}
