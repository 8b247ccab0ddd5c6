/* Leaves one of each run of equal elements of a sorted array. Expected: strictly ascending up to the result. */
int dedup(int *a, int n)
{
    int i, k = 0;
    for (i = 0; i < n; i++) {
        if (k == 0 || a[k - 1] != a[i]) {
            a[k] = a[i];
            k++;
        }
    }
    return k;
}
