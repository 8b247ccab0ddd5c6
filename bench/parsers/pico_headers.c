/* picohttpparser: headers of N bytes. */
#ifndef N
#define N 8
#endif
#include "bytes.h"
#include "picohttpparser.c"

int main(void) {
  char text[N];
  free_bytes(text, N);
  size_t n = 2;
  struct phr_header headers[2];
  int read = phr_parse_headers(text, N, headers, &n, 0);
  assert(read <= N);
  return 0;
}
