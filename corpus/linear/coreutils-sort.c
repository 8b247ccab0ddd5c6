/* Lines sorted by a comparison function, as in Coreutils: halves are sorted, then merged. */
static int compare(int a, int b)
{
    if (a < b)
        return -1;
    return a > b;
}

static void merge_lines(int lines[], int n, int half, int temp[])
{
    int lo = 0;
    int hi = half;
    int k = 0;
    while (lo < half && hi < n) {
        if (compare(lines[lo], lines[hi]) <= 0)
            temp[k++] = lines[lo++];
        else
            temp[k++] = lines[hi++];
    }
    while (lo < half)
        temp[k++] = lines[lo++];
    while (hi < n)
        temp[k++] = lines[hi++];
    for (k = 0; k < n; k++)
        lines[k] = temp[k];
}

void sortlines(int lines[], int n, int temp[])
{
    int half = n / 2;
    if (n < 2)
        return;
    sortlines(lines, half, temp);
    sortlines(lines + half, n - half, temp);
    merge_lines(lines, n, half, temp);
}
