/* Puts an element behind the last one of a ring buffer. Expected: it is there. */
int ring_push(int *ring, int size, int first, int *count, int value)
{
    int at;
    if (first < 0 || first >= size || *count < 0 || *count >= size)
        return 0;
    at = first + *count;
    if (at >= size)
        at -= size;
    ring[at] = value;
    *count = *count + 1;
    return 1;
}
