/* Looks for a number between two pointers. Expected: it is nowhere before the result, and at it unless that is the end. */
const int *segment_find(const int *begin, const int *end, int x)
{
    const int *p = begin;
    while (p != end && *p != x)
        p++;
    return p;
}
