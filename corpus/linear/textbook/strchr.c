/* Where a byte is in a string, or -1. Expected: it is nowhere before the result, and at the result. */
long find_byte(const char *s, char c)
{
    long i = 0;
    while (s[i] != 0) {
        if (s[i] == c)
            return i;
        i++;
    }
    return -1;
}
