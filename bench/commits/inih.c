/* What ini_parse_string says of a text of N bytes: its result, and what the handler is called with. */
#include "bytes.h"
#include "ini.h"
#include <stddef.h>

/* All calls of the handler, one text after the other. */
char told[8 * N];
static unsigned n_told;

static void tell(const char *text) {
  while (text && *text && n_told < sizeof told - 1)
    told[n_told++] = *text++;
  if (n_told < sizeof told)
    told[n_told++] = text ? '|' : '-';
}

static int handler(void *user, const char *section, const char *name, const char *value) {
  (void)user;
  tell(section);
  tell(name);
  tell(value);
#ifdef REFUSES
  return 0;
#else
  return 1;
#endif
}

int main(void) {
  char text[N + 1];
  free_bytes(text, N);
  text[N] = 0;
  return ini_parse_string(text, handler, NULL);
}
