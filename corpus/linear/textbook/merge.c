/* Merges two sorted arrays. Expected: the n + m elements of c are sorted. */
void merge(const int *restrict a, int n, const int *restrict b, int m, int *restrict c)
{
    int i = 0, j = 0, k = 0;
    while (i < n && j < m) {
        if (a[i] <= b[j])
            c[k++] = a[i++];
        else
            c[k++] = b[j++];
    }
    while (i < n)
        c[k++] = a[i++];
    while (j < m)
        c[k++] = b[j++];
}
