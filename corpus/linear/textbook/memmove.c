/* Moves n elements k places to the right inside one array. Expected: a[y + k] is what a[y] was. */
void move_right(int *a, int n, int k)
{
    int i;
    if (k < 0 || k > n)
        return;
    for (i = n - k; i > 0; i--)
        a[i - 1 + k] = a[i - 1];
}
