/* The largest element of each row of a matrix. Expected: no element of row y is above max[y]. */
#define WIDTH 4
void row_maxima(int m[][WIDTH], int rows, int *restrict max)
{
    int i, j;
    for (i = 0; i < rows; i++) {
        max[i] = m[i][0];
        for (j = 1; j < WIDTH; j++)
            if (m[i][j] > max[i])
                max[i] = m[i][j];
    }
}
