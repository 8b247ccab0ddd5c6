/* Reverses an array. Expected: a[y] is what a[n - 1 - y] was; a permutation of the input. */
void reverse(int *a, int n)
{
    int i = 0, j = n - 1;
    while (i < j) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
        i++;
        j--;
    }
}
