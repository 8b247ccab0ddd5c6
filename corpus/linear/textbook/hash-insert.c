/* Puts a key into the first free place of a bucket. Expected: the key is at the result. */
int hash_insert(int *keys, int n, int key)
{
    int i;
    for (i = 0; i < n; i++) {
        if (keys[i] == key)
            return i;
        if (keys[i] == 0) {
            keys[i] = key;
            return i;
        }
    }
    return -1;
}
