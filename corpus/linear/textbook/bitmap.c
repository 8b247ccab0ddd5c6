/* Sets a bit. Expected: the bit is set, the other words are as they were. */
int bitmap_set(unsigned *words, int n, int bit)
{
    int i = bit / 32;
    if (bit < 0 || i >= n)
        return 0;
    words[i] = words[i] | (1u << (bit % 32));
    return 1;
}
