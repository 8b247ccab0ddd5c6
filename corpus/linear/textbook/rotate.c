/* Rotates an array by one place to the left. Expected: a permutation of the input. */
void rotate_left(int *a, int n)
{
    int i, first;
    if (n <= 0)
        return;
    first = a[0];
    for (i = 1; i < n; i++)
        a[i - 1] = a[i];
    a[n - 1] = first;
}
