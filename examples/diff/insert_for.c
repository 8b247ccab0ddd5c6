/*@ requires 0 <= n && n <= 3 && \valid(list + (0 .. n)); */
void insert(int *list, int n, int value)
{
    int at;
    for (at = n; at > 0 && value < list[at - 1]; at--)
        list[at] = list[at - 1];
    list[at] = value;
}
