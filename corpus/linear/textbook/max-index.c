/* The first place of a largest element. Expected: no element is above it, those before are below it. */
int max_index(const int *a, int n)
{
    int i, best = 0;
    for (i = 1; i < n; i++)
        if (a[i] > a[best])
            best = i;
    return best;
}
