/* Copies elements below a bound. Expected: all that are copied are below it, and each is an element of a. */
int copy_if(const int *restrict a, int n, int *restrict b, int bound)
{
    int i, k = 0;
    for (i = 0; i < n; i++)
        if (a[i] < bound)
            b[k++] = a[i];
    return k;
}
