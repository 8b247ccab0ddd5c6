/* Three-way partition around a pivot. Expected: smaller ones, equal ones, larger ones; a permutation of the input. */
void dutch_flag(int *a, int n, int pivot)
{
    int low = 0, at = 0, high = n;
    while (at < high) {
        int x = a[at];
        if (x < pivot) {
            a[at] = a[low];
            a[low] = x;
            low++;
            at++;
        } else if (x > pivot) {
            high--;
            a[at] = a[high];
            a[high] = x;
        } else {
            at++;
        }
    }
}
