/* The length of a string by a pointer that walks to the nul. Expected: no byte before the result is nul, the one at it is. */
long length_by_pointer(const char *s)
{
    const char *p = s;
    while (*p)
        p++;
    return p - s;
}
