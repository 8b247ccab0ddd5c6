/* Selection sort: the inner loop finds the least element of the rest. */
void selection_sort(int a[], int n)
{
    int i, j, min, t;
    for (i = 0; i < n; i++) {
        min = i;
        for (j = i + 1; j < n; j++) {
            if (a[j] < a[min])
                min = j;
        }
        t = a[i];
        a[i] = a[min];
        a[min] = t;
    }
}
