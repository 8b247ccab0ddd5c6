/* Looks a key up in an open-addressing table, from its home on. Expected: the result is a place of the key. */
int hash_find(const int *keys, int n, int home, int key)
{
    int i;
    if (home < 0 || home > n)
        return -1;
    for (i = home; i < n; i++)
        if (keys[i] == key)
            return i;
    for (i = 0; i < home; i++)
        if (keys[i] == key)
            return i;
    return -1;
}
