/* Part of linked_modules: a log whose static helper has the same name as another file's. */
#include <stdio.h>
#include "counter.h"

static int state;
static int helper(void) { return ++state; }
void log_line(const char *s) { printf("log %d: %s (%d)\n", helper(), s, shared); }
int log_lines(void) { return state; }
