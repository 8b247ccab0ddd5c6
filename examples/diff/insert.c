/* Puts x into its place among n numbers in order; there is room for one more. */
/*@ requires 0 <= n && n <= 3 && \valid(a + (0 .. n)); */
void insert(int *a, int n, int x)
{
    int i = n;
    while (i > 0 && a[i - 1] > x) {
        a[i] = a[i - 1];
        i--;
    }
    a[i] = x;
}
