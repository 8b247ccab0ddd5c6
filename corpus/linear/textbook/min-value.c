/* The smallest element of an array that has one. Expected: no element is below it, and one is equal to it. */
int min_value(const int *a, int n)
{
    int i, least;
    if (n <= 0)
        return 0;
    least = a[0];
    for (i = 1; i < n; i++)
        if (a[i] < least)
            least = a[i];
    return least;
}
