/* What phr_parse_response makes of a status line with N free bytes at its end. */
#include "bytes.h"
#include "picohttpparser.h"
#include <string.h>

int status;

int main(void) {
  char text[13 + N];
  memcpy(text, "HTTP/1.1 200", 12);
  free_bytes(text + 12, N);
  struct phr_header headers[1];
  size_t n = 1, length;
  int minor;
  const char *message;
  return phr_parse_response(text, 12 + N, &minor, &status, &message, &length, headers, &n, 0);
}
