/* Takes the first element out of a ring buffer. Expected: the element is in *value, and there is one less. */
int ring_pop(const int *ring, int size, int *first, int *count, int *value)
{
    int at = *first;
    if (at < 0 || at >= size || *count <= 0 || *count > size)
        return 0;
    *value = ring[at];
    *first = at + 1 < size ? at + 1 : 0;
    *count = *count - 1;
    return 1;
}
