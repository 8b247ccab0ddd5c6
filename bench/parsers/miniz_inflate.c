/* miniz: N bytes of raw deflate data become at most M. */
#ifndef N
#define N 16
#endif
#ifndef M
#define M 16
#endif
#include "bytes.h"
#include "miniz_tinfl.c"

int main(void) {
  unsigned char text[N], out[M];
  free_bytes(text, N);
  tinfl_decompress_mem_to_mem(out, M, text, N, 0);
  return 0;
}
