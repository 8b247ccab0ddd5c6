/* LZ4: N bytes are decompressed into at most M. */
#ifndef N
#define N 6
#endif
#ifndef M
#define M 8
#endif
#include "bytes.h"
#define LZ4_STATIC_LINKING_ONLY
#include "lz4.c"
#include <assert.h>

int main(void) {
  char text[N], out[M];
  free_bytes(text, N);
  int n = LZ4_decompress_safe(text, out, N, M);
  assert(n <= M);
  return 0;
}
