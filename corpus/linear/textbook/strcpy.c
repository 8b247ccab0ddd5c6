/* Copies a string with its nul. Expected: both agree up to the first nul. */
void copy_string(char *restrict to, const char *restrict from)
{
    unsigned long i = 0;
    while (from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
}
