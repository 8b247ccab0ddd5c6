/* Fills what is between two pointers, which moves the first one. Expected: every element is the number. */
void segment_fill(int *begin, int *end, int x)
{
    while (begin < end)
        *begin++ = x;
}
