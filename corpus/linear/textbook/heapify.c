/* Lets the element at `root` sink into its heap. Expected: a permutation of the input. */
void sift_down(int *a, int n, int root)
{
    int i = root;
    if (root < 0)
        return;
    while (i < n / 2 && 2 * i + 1 < n) {
        int child = 2 * i + 1, t;
        if (child + 1 < n && a[child + 1] > a[child])
            child++;
        if (a[i] >= a[child])
            return;
        t = a[i];
        a[i] = a[child];
        a[child] = t;
        i = child;
    }
}
