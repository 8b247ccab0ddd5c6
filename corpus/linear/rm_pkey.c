/* Removes a partition key from a port's table. */
int rm_pkey(int pkeys[], int size, int pkey)
{
    int i = 0;
    while (i < size) {
        if (pkeys[i] == pkey) {
            pkeys[i] = 0;
            return 1;
        }
        i++;
    }
    return 0;
}
