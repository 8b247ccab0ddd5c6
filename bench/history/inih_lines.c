/* inih: a file of N bytes, with short lines (a setting of the library). */
#ifndef N
#define N 4
#endif
#define INI_MAX_LINE 16
#include "bytes.h"
#include "ini.c"
#include <assert.h>

static int handler(void *user, const char *section, const char *name, const char *value) {
  (void)user;
  assert(section != 0 && name != 0 && value != 0);
  return 1;
}

int main(void) {
  char text[N + 1];
  free_bytes(text, N);
  text[N] = 0;
  ini_parse_string(text, handler, 0);
  return 0;
}
