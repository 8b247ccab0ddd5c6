#include "fields.h"

size_t fields_count(const char *line)
{
    size_t n = 1;
    for (; *line; line++)
        n += *line == FIELD_SEPARATOR;
    return n;
}

/* Copies the first field; at most `size` bytes of `to` are written. */
size_t fields_copy(char *to, size_t size, const char *line)
{
    size_t n = 0;
    while (n < size && line[n] != '\0' && line[n] != FIELD_SEPARATOR) {
        to[n] = line[n];
        n++;
    }
    to[n] = '\0';
    return n;
}

long fields_sum(const int *numbers, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += numbers[i];
    return sum;
}

const char *fields_line(const struct fields *fields)
{
    if (!fields)
        return "";
    return fields->line;
}
