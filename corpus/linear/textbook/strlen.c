/* The number of bytes in front of the nul. Expected: no byte before the result is nul, the one at it is. */
unsigned long length_of(const char *s)
{
    unsigned long n = 0;
    while (s[n] != 0)
        n++;
    return n;
}
