/* A loop that small inputs do not reach. */
int sum(int a[], int n)
{
    int i;
    int s = 0;
    if (n > 64) {
        for (i = 0; i + 1 < n; i += 2)
            s += a[i] + a[i + 1];
        if (i < n)
            s += a[i];
        return s;
    }
    for (i = 0; i < n; i++)
        s += a[i];
    return s;
}

/* An array of strings: nothing here can build one. */
int name(char **names, int n)
{
    int i;
    for (i = 0; i < n && names[i] != 0; i++)
        continue;
    return i;
}
