/* Lines sorted by a comparison function, as in Coreutils: halves are sorted, the lower one is
   put aside, and both are merged where the lines are. When nothing is left of the lower half,
   the rest is where it belongs. */
static int compare(int a, int b)
{
    if (a < b)
        return -1;
    return a > b;
}

/* The lower half of the lines is in `lo`, the upper half where it was. */
static void mergelines(int lines[], int n, int half, int lo[])
{
    int i = 0;
    int j = half;
    int k = 0;
    while (i < half) {
        if (j < n && compare(lo[i], lines[j]) > 0)
            lines[k++] = lines[j++];
        else
            lines[k++] = lo[i++];
    }
}

void sortlines(int lines[], int n, int temp[])
{
    int half = n / 2;
    int i;
    if (n < 2)
        return;
    sortlines(lines + half, n - half, temp);
    sortlines(lines, half, temp);
    for (i = 0; i < half; i++)
        temp[i] = lines[i];
    mergelines(lines, n, half, temp);
}
