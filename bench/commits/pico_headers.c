/* What phr_parse_headers makes of N bytes: its result, and how long the first name and value are. */
#include "bytes.h"
#include "picohttpparser.h"

size_t name, value;

int main(void) {
  char text[N];
  free_bytes(text, N);
  struct phr_header headers[2];
  size_t n = 2;
  int result = phr_parse_headers(text, N, headers, &n, 0);
  if (result > 0 && n > 0) {
    name = headers[0].name_len;
    value = headers[0].value_len;
  }
  return result;
}
