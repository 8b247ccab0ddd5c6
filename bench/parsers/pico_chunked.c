/* picohttpparser: N bytes of chunked data. */
#ifndef N
#define N 6
#endif
#include "bytes.h"
#include "picohttpparser.c"

int main(void) {
  char text[N];
  free_bytes(text, N);
  struct phr_chunked_decoder decoder = {0};
  size_t n = N;
  phr_decode_chunked(&decoder, text, &n);
  assert(n <= N);
  return 0;
}
