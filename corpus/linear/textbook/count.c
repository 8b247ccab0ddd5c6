/* How often a number is in an array. Expected: the number of places y with a[y] = x. */
int count(const int *a, int n, int x)
{
    int i, c = 0;
    for (i = 0; i < n; i++)
        if (a[i] == x)
            c++;
    return c;
}
