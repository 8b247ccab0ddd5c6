/* Sums of prefixes. Expected: the result is the sum of all elements. */
unsigned prefix_sums(const unsigned *restrict a, int n, unsigned *restrict b)
{
    int i;
    unsigned s = 0;
    for (i = 0; i < n; i++) {
        s = s + a[i];
        b[i] = s;
    }
    return s;
}
