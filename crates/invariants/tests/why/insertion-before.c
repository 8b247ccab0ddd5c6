/* Insertion sort: the outer loop takes the next element, the inner one finds its place. */
void insertion_sort(int a[], int n)
{
    int i, j, value;
    for (i = 1; i < n; i++) {
        value = a[i];
        j = i - 1;
        while (j >= 0 && a[j] > value) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = value;
    }
}
