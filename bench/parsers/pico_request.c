/* picohttpparser: a request of N bytes. */
#ifndef N
#define N 12
#endif
#include "bytes.h"
#include "picohttpparser.c"

int main(void) {
  char text[N];
  free_bytes(text, N);
  const char *method, *path;
  size_t method_len, path_len, n = 2;
  int minor;
  struct phr_header headers[2];
  int read = phr_parse_request(text, N, &method, &method_len, &path, &path_len, &minor, headers, &n, 0);
  assert(read <= N);
  return 0;
}
