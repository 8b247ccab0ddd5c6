/* Whether two elements of different places are equal to x and y. Expected: 1 only if there are such elements. */
int two_present(const int *a, int n, int x, int y)
{
    int i, has_x = 0, has_y = 0;
    for (i = 0; i < n; i++) {
        if (a[i] == x)
            has_x = 1;
        if (a[i] == y)
            has_y = 1;
    }
    return has_x && has_y;
}
