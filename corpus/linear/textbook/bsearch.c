/* Binary search in a sorted array. Expected: the place of the key, or -1 and it is nowhere. */
int binary_search(const int *a, int n, int key)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] == key)
            return middle;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}
