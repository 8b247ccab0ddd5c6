/* Whether a bit is set. Expected: the result is that bit of its word. */
unsigned bitmap_test(const unsigned *words, int n, int bit)
{
    int i = bit / 32;
    if (bit < 0 || i >= n)
        return 0;
    return (words[i] >> (bit % 32)) & 1u;
}
