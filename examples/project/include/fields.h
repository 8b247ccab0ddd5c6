#ifndef FIELDS_H
#define FIELDS_H

#include <stddef.h>

/* The build says what separates fields. */
#ifndef FIELD_SEPARATOR
#error "compile with -DFIELD_SEPARATOR=..."
#endif

/* A line that is split, and what became of it. */
struct fields {
    const char *line;
    size_t n_fields;
};

size_t fields_count(const char *line);
size_t fields_copy(char *to, size_t size, const char *line);
long fields_sum(const int *numbers, int n);
const char *fields_line(const struct fields *fields);

#endif
