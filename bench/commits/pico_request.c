/* What phr_parse_request makes of N free bytes before a version. */
#include "bytes.h"
#include "picohttpparser.h"
#include <string.h>

size_t method_length, path_length;

int main(void) {
  char text[N + 12];
  free_bytes(text, N);
  memcpy(text + N, "HTTP/1.0\n\n", 10);
  struct phr_header headers[1];
  size_t n = 1;
  int minor;
  const char *method, *path;
  int result = phr_parse_request(text, N + 10, &method, &method_length, &path, &path_length, &minor, headers, &n, 0);
  if (result < 0)
    method_length = path_length = 0;
  return result;
}
