/* What phr_decode_chunked makes of N bytes: its result, and what it leaves of them. */
#include "bytes.h"
#include "picohttpparser.h"

char text[N];
size_t n = N;

int main(void) {
  free_bytes(text, N);
  struct phr_chunked_decoder decoder = {0};
  return (int)phr_decode_chunked(&decoder, text, &n);
}
