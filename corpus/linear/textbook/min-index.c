/* The last place of a smallest element. Expected: no element is below it, those behind are above it. */
int min_index(const int *a, int n)
{
    int i, best = 0;
    for (i = 1; i < n; i++)
        if (a[i] <= a[best])
            best = i;
    return best;
}
